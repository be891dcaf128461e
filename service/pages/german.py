"""The German of everything the pages say themselves. (What happens in a game is said by its title's words.)"""

MONTHS = ("Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez.")

GERMAN: dict[str, str] = {}
