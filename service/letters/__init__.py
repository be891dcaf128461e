"""Letters: the text of each kind, whether it is still due, and the bytes of the mail."""
