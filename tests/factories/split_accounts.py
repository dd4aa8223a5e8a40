"""A service in which one account of the old version is a login and a wallet in the new one, and payments refer to both."""

from __future__ import annotations

from migrations_app.domain.service_hooks.calls import ResponseCall, WriteCall
from migrations_app.domain.service_hooks.registration import ServiceHooks
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject

SERVICE = "accounts.example.com"
FILES = {
    "service.yaml": """
service: accounts.example.com
versions:
  - {version: v1, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}
  - {version: v2, ordinal: 20, sources: [{kind: ir, path: v2.yaml}]}
edges: [v1-v2.yaml]
""",
    "v1.yaml": """
schema:
  types:
    Account: {fields: {name: string, title: string, currency: string}}
    Payment: {fields: {name: string, account: {type: {reference: Account}}, note: string}}
  resources:
    Account: {patterns: ["accounts/{account}"]}
    Payment: {patterns: ["payments/{payment}"]}
""",
    "v2.yaml": """
schema:
  types:
    Login: {fields: {name: string, title: string}}
    Wallet: {fields: {name: string, currency: string}}
    Payment:
      fields:
        name: string
        login: {type: {reference: Login}}
        wallet: {type: {reference: Wallet}}
        note: string
  resources:
    Login: {patterns: ["logins/{login}"]}
    Wallet: {patterns: ["wallets/{wallet}"]}
    Payment: {patterns: ["payments/{payment}"]}
""",
    "v1-v2.yaml": """
edge: {service: accounts.example.com, from: v1, to: v2}
resources:
  renamed: {Account: Login}
  added: [Wallet]
types:
  Account:
    ops:
      - resourceName: {variants: [{from: "accounts/{account}", to: "logins/{login}", set: {login: {same: account}}, back: {set: {account: {same: login}}}}]}
      - removed: {path: currency, because: the wallet has it}
  Payment:
    ops:
      - splitReference:
          from: account
          to: [login, wallet]
          names:
            wallet: [{from: "accounts/{account}", to: "wallets/{wallet}", set: {wallet: {same: account}}, back: {set: {account: {same: wallet}}}}]
""",
}


def wallet_of(name: str) -> str:
    """Name the wallet of an account."""
    return f"wallets/{name.partition('/')[2]}"


def hooks_of_accounts() -> ServiceHooks:
    """Make the hooks that keep a wallet beside each account, and show its currency to the old version."""
    hooks = ServiceHooks(SERVICE, "v1")

    @hooks.write("Account")
    def keep_wallet(call: WriteCall) -> JsonObject | None:
        if call.active_version == call.version:
            return None
        wallet = wallet_of(call.name)
        if call.verb == "delete":
            call.active.delete("Wallet", wallet)
            return None
        held = {"currency": (call.document or {}).get("currency", "EUR")}
        try:
            there = call.active.get("Wallet", wallet)
        except Missing:
            call.active.create("Wallet", wallet, held)
        else:
            if there.get("currency") != held["currency"]:
                call.active.update("Wallet", wallet, held)
        return None

    @hooks.response("Account")
    def show_currency(call: ResponseCall) -> list[JsonObject]:
        shown: list[JsonObject] = []
        if call.active_version == call.version:
            return list(call.documents)
        for document in call.documents:
            try:
                wallet = call.active.get("Wallet", wallet_of(str(document["name"])))
            except Missing:
                shown.append(document)
            else:
                shown.append({**document, "currency": wallet["currency"]})
        return shown

    return hooks
