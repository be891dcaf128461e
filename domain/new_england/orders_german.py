"""The German of the lines."""

from collections.abc import Mapping

GERMAN: Mapping[str, str] = {
    "borrow | loan | take loan": "leihe | leih | … leihen | Kredit | nimm Kredit",
    "repay | retire | pay back | pay … back": "tilge | … tilgen | zahle … zurück | … zurückzahlen",
    "bid": "biete | … bieten",
    "pass | passing": "passe | … passen | pass",
    "pass": "passe",
    "build | pay": "baue | … bauen | zahle | … zahlen",
    "wait | leave": "warte | … warten",
    "ship | deliver": "liefere | … liefern",
    "ship nothing | skip | skip shipment": "liefere nichts | nichts liefern | überspringe",
    "proxy | leave proxy": "Bietauftrag | hinterlege Bietauftrag",
    "no proxy | withdraw proxy": "kein Bietauftrag | keinen Bietauftrag | ziehe Bietauftrag … zurück",
    "limit | build limit": "Baugrenze | Grenze | hinterlege Baugrenze",
    "no limit | withdraw limit | no build limit": "keine Baugrenze | keine Grenze | ziehe Baugrenze … zurück",
    "dollars | dollar": "Dollar",
    "borrow ${amount}": "leihe ${amount}",
    "repay ${amount}": "tilge ${amount}",
    "bid ${amount} on {link}": "biete ${amount} auf {link}",
    "build {link}": "baue {link}",
    "wait {link}": "warte {link}",
    "ship {colour} {path}": "liefere {colour} {path}",
    "ship nothing": "liefere nichts",
    "proxy {link} ${maximum}": "Bietauftrag {link} ${maximum}",
    "no proxy {link}": "kein Bietauftrag {link}",
    "limit {link} ${amount}": "Baugrenze {link} ${amount}",
    "no limit {link}": "keine Baugrenze {link}",
}  # fmt: skip
