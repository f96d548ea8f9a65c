"""The games of an arena."""

from __future__ import annotations

from collections.abc import Mapping

from rummy_arena.api.v1.rule_service_pb2 import GetRuleSetRequest, ListRuleSetsRequest
from rummy_arena.api.v1.rule_service_pb2_grpc import RuleServiceStub
from rummy_arena.api.v1.rule_set_pb2 import RuleSet

from .caller import Caller


class Rules:
    """Calls of the rule service."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = RuleServiceStub(caller.channel)

    async def list(self) -> list[RuleSet]:
        """Return every rule set of the arena."""
        found: list[RuleSet] = []
        request = ListRuleSetsRequest()
        async for page in self._caller.pages(self._stub.ListRuleSets, request):
            found += page.rule_sets
        return found

    async def get(self, rule_set: str, *, options: Mapping[str, str] | None = None) -> RuleSet:
        """Return one rule set by id, as it is played under these options."""
        request = GetRuleSetRequest(rule_set_id=rule_set, rule_set_options=options)
        return (await self._caller.call(self._stub.GetRuleSet, request)).rule_set
