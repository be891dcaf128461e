"""Letters: what each kind says, whether it is still due, and the bytes of the mail."""
