"""Approval policies: what counts where, who may vote, and who is on duty."""
