"""The Meta API over gRPC: each call is answered by the same views as its HTTP binding."""
