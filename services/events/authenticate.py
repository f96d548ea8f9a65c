"""Finding out whose token this is."""

from __future__ import annotations

from services.state.codec import TOKEN
from services.state.context import Context

from .errors import NotAuthenticated
from .principals import Principal
from .scopes import ROLE_SCOPES, Scope
from .token_text import issuing_key, matches, presented


async def authenticate(ctx: Context, token: str) -> Principal:
    """Return who holds this token; raises NotAuthenticated.

    A token that was rotated out comes back as ``spent`` for a while: who serves a call refuses it,
    save the repeat of its rotation.
    """
    if not token:
        raise NotAuthenticated("no token was sent")
    shown = presented(token)
    data = await ctx.store.get_token(shown.token_id)
    if data is None:
        raise NotAuthenticated("the token is unknown, revoked, or has ended")
    record = TOKEN.decode(data)
    if not matches(shown, record.digest):
        raise NotAuthenticated("the token is unknown, revoked, or has ended")
    spent = record.expires_ms <= ctx.now_ms()
    if spent and not record.successor:
        raise NotAuthenticated("the token has ended")
    allowed = ROLE_SCOPES[record.role]
    return Principal(
        record.player_id,
        record.role,
        Scope(record.scopes) & allowed if record.scopes else allowed,
        shown.token_id,
        record.expires_ms,
        spent,
        issuing_key(token),
    )
