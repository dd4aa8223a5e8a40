"""What a request asks in one version, put into another: filters, orders, field paths."""
