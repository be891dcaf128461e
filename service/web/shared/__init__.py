"""What API, pages and feeds have in common: who asks, what can fail, how often one may ask."""
