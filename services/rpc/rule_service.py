"""RuleService at the edge."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from typing import Any

from rummy_arena.api.v1 import rule_service_pb2 as pb
from rummy_arena.api.v1.rule_service_pb2_grpc import RuleServiceServicer
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from rummy_arena.tournament.registry import FORMATS

from .convert_rules import rule_set_message
from .convert_stages import format_message
from .pages import page_offset, page_token
from .violations import Fields

_LIST = "rule sets"
_FORMATS = "formats"


class RuleService(RuleServiceServicer):
    """Describes the games that this arena can play."""

    async def ListRuleSets(
        self, request: pb.ListRuleSetsRequest, context: Any
    ) -> pb.ListRuleSetsResponse:
        """Return a page of rule sets, by id."""
        fields = Fields()
        size = fields.page_size(request.page_size, usual=50, largest=200)
        start = page_offset(fields, _LIST, request.page_token)
        fields.done()
        found = sorted(RULE_SETS)
        end = start + size
        return pb.ListRuleSetsResponse(
            rule_sets=[rule_set_message(RULE_SETS[name]) for name in found[start:end]],
            next_page_token=page_token(_LIST, str(end)) if end < len(found) else "",
        )

    async def GetRuleSet(
        self, request: pb.GetRuleSetRequest, context: Any
    ) -> pb.GetRuleSetResponse:
        """Return one rule set, as it is played under the options of the request."""
        fields = Fields()
        name = fields.id("rule_set_id", request.rule_set_id)
        options = fields.choices("rule_set_options", request.rule_set_options)
        fields.done()
        return pb.GetRuleSetResponse(rule_set=rule_set_message(get_rule_set(name, options)))

    async def ListFormats(
        self, request: pb.ListFormatsRequest, context: Any
    ) -> pb.ListFormatsResponse:
        """Return a page of formats, by id."""
        fields = Fields()
        size = fields.page_size(request.page_size, usual=50, largest=200)
        start = page_offset(fields, _FORMATS, request.page_token)
        fields.done()
        found = sorted(FORMATS)
        end = start + size
        return pb.ListFormatsResponse(
            formats=[format_message(FORMATS[name]) for name in found[start:end]],
            next_page_token=page_token(_FORMATS, str(end)) if end < len(found) else "",
        )
