"""What people hear of: what is owed to them, what became of it, webhooks, and whether the work gets done."""
