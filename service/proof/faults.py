"""What faults are called in German. They are kept and printed in English, so each is found by its English sentence."""

import re
from collections.abc import Mapping
from functools import cache

from service.proof.verdicts import Fault

GERMAN: Mapping[str, str] = {
    # ---- a log
    "The log is empty.": "Das Protokoll ist leer.",
    "decided again it gives other bytes.": "noch einmal entschieden ergibt er andere Bytes.",
    "decided again it gives other bytes than the log has.":
        "noch einmal entschieden ergibt er andere Bytes, als im Protokoll stehen.",
    "it, or a sealed part of it, is stored as something else than bytes.":
        "er oder ein versiegelter Teil von ihm ist als etwas anderes als Bytes gespeichert.",
    "it is missing; the next one that is there is ply {next}.": "er fehlt; der nächste vorhandene ist Zug {next}.",
    "its sealed part {place} is missing.": "sein versiegelter Teil {place} fehlt.",
    "its link does not follow from the link before it and what it holds: its bytes or its link were changed.":
        "sein Kettenglied folgt nicht aus dem vorigen und dem, was er enthält: Seine Bytes oder sein Kettenglied "
        "wurden geändert.",
    "its link does not follow from the link before it and what it holds: its bytes, a sealed part of it, its link or "
    "the game's secret were changed.":
        "sein Kettenglied folgt nicht aus dem vorigen und dem, was er enthält: Seine Bytes, ein versiegelter Teil, "
        "sein Kettenglied oder das Geheimnis der Partie wurden geändert.",
    "its bytes cannot be read as a ply of this title: {error}":
        "seine Bytes sind nicht als Zug dieses Spiels zu lesen: {error}",
    "it calls itself ply {number}.": "er nennt sich selbst Zug {number}.",
    "it has no known cause, or no events.": "er hat keine bekannte Ursache oder keine Ereignisse.",
    "a sealed part lies with another seat than it was made for.":
        "ein versiegelter Teil liegt bei einem anderen Platz als dem, für den er gemacht wurde.",
    "it does not open a table of this title.": "er eröffnet keinen Tisch dieses Spiels.",
    "the game's secret is not the one whose hash was published here.":
        "das Geheimnis der Partie ist nicht das, dessen Hash hier veröffentlicht wurde.",
    "the rules refuse its command: {why}": "die Regeln lehnen seinen Befehl ab: {why}",
    "its command cannot be decided: {error}": "sein Befehl lässt sich nicht entscheiden: {error}",
    "by the code of release {release}: {fault}": "nach dem Code der Version {release}: {fault}",
    "the draw “{name}” does not follow from the game's secret.":
        "die Ziehung „{name}“ folgt nicht aus dem Geheimnis der Partie.",
    "its events cannot be applied: {error}": "seine Ereignisse lassen sich nicht anwenden: {error}",
    "the rules make event {place} of its command {now}, where the log has {then}.":
        "die Regeln machen aus seinem Befehl als Ereignis {place} {now}, im Protokoll steht {then}.",
    "the rules make {made} events of its command, where the log has {there}.":
        "die Regeln machen aus seinem Befehl {made} Ereignisse, im Protokoll stehen {there}.",
    "the rules ask other draws of its command than the log has.":
        "die Regeln verlangen für seinen Befehl andere Ziehungen, als im Protokoll stehen.",
    # ---- its order
    "it was decided by version {rules} of the rules; this program knows version {newest}.":
        "er wurde nach Version {rules} der Regeln entschieden; dieses Programm kennt Version {newest}.",
    "it was decided by version {rules} of the rules; they begin with version 1.":
        "er wurde nach Version {rules} der Regeln entschieden; sie beginnen mit Version 1.",
    "it was decided by version {rules} of the rules, and a ply before it by version {before}: no game goes back to "
    "older rules.":
        "er wurde nach Version {rules} der Regeln entschieden und ein Zug vor ihm nach Version {before}: Keine Partie "
        "geht zu älteren Regeln zurück.",
    "it has no time, or none that there is.": "er hat keine Zeit oder eine, die es nicht gibt.",
    "its time lies before that of the ply before it.": "seine Zeit liegt vor der des Zuges vor ihm.",
    "its command is about a seat that the table does not have.":
        "sein Befehl betrifft einen Platz, den der Tisch nicht hat.",
    "its command comes from no seat, but it says seat {seat}.":
        "sein Befehl kommt von keinem Platz, aber er nennt Platz {seat}.",
    "seat {seat} takes seat {other}.": "Platz {seat} nimmt Platz {other} ein.",
    "seat {seat} asks itself whether to go back.": "Platz {seat} fragt sich selbst, ob zurückgegangen werden soll.",
    "the table has no seat {seat}.": "der Tisch hat keinen Platz {seat}.",
    # ---- fingerprints
    "“{given}” is no fingerprint: {least} or more of the digits 0 to 9 and a to f.":
        "„{given}“ ist kein Fingerabdruck: {least} oder mehr der Ziffern 0 bis 9 und a bis f.",
    "The fingerprint {given} belongs to no ply: what was shown with it is not what stands here now.":
        "Der Fingerabdruck {given} gehört zu keinem Zug: Was mit ihm gezeigt wurde, ist nicht, was jetzt hier steht.",
    # ---- beside the log
    "What is stored of it cannot be read ({error}).": "Was von ihr gespeichert ist, lässt sich nicht lesen ({error}).",
    "It could not be checked: {error}.": "Sie ließ sich nicht prüfen: {error}.",
    "This program does not know the title {title}.": "Dieses Programm kennt das Spiel {title} nicht.",
    "The log ends with ply {last}, but the game's row says {said}: plies are missing.":
        "Das Protokoll endet mit Zug {last}, aber der Eintrag der Partie nennt {said}: Es fehlen Züge.",
    "The link of the last ply is not the one in the game's row.":
        "Das Kettenglied des letzten Zuges ist nicht das im Eintrag der Partie.",
    "The game's row says something else than the log of how far the game is or whom it waits for.":
        "Der Eintrag der Partie sagt anderes als das Protokoll darüber, wie weit sie ist oder auf wen sie wartet.",
    "The game's row says something else than the log of when the next clock runs out.":
        "Der Eintrag der Partie sagt anderes als das Protokoll darüber, wann die nächste Uhr abläuft.",
    "The result that is kept is not the one that follows from the log.":
        "Das aufbewahrte Ergebnis ist nicht das, das aus dem Protokoll folgt.",
}  # fmt: skip


def said(what: str, lang: str) -> str:
    """What is wrong, in "en" or "de"; a sentence of another release stays as it is."""
    if lang != "de":
        return what
    for english, german in _german():
        if found := english.fullmatch(what):
            facts = found.groupdict()
            if "fault" in facts:
                facts["fault"] = said(facts["fault"], lang)
            return german.format(**facts)
    return what


def told(fault: Fault, lang: str) -> str:
    """The same, with its ply."""
    where = {"en": "Ply", "de": "Zug"}[lang]
    return said(fault.what, lang) if fault.ply is None else f"{where} {fault.ply}: {said(fault.what, lang)}"


@cache
def _german() -> list[tuple[re.Pattern[str], str]]:
    """Those with more words of their own come first: a blank takes anything."""
    most = sorted(GERMAN.items(), key=lambda each: -len(re.sub(r"\{\w+\}", "", each[0])))
    return [(re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(english)), re.DOTALL), german)
            for english, german in most]  # fmt: skip
