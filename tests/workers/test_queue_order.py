"""Work for the archive waits until no table and no tournament has any."""

from __future__ import annotations

from services.runtime.settings import load_settings
from services.state.messages import MESSAGE_TYPES
from workers.app import EVENTS_QUEUE, QUEUES, TABLES_QUEUE, make_app
from workers.queue_order import ARCHIVE_QUEUE, PlayFirst
from workers.relay import ROUTES


def test_the_archive_comes_last_and_the_others_in_turn() -> None:
    cycle = PlayFirst([ARCHIVE_QUEUE, *QUEUES[:2]])  # type: ignore[no-untyped-call]
    orders = []
    for _ in range(3):
        order = cycle.consume(3)
        orders.append(order)
        cycle.rotate(order[0])  # type: ignore[no-untyped-call]
    one, other = [TABLES_QUEUE, EVENTS_QUEUE, ARCHIVE_QUEUE], [EVENTS_QUEUE, TABLES_QUEUE]
    assert orders == [one, [*other, ARCHIVE_QUEUE], one]
    cycle.rotate(ARCHIVE_QUEUE)  # type: ignore[no-untyped-call]
    assert cycle.consume(3)[-1] == ARCHIVE_QUEUE


def test_a_worker_asks_its_queues_so(valkey_url: str) -> None:
    app = make_app(load_settings(redis_url=valkey_url))
    with app.connection_for_read() as connection:
        assert isinstance(connection.default_channel._queue_cycle, PlayFirst)


def test_every_message_has_a_task_that_is_there() -> None:
    app = make_app(load_settings(redis_url="redis://localhost:1/0"))
    app.loader.import_default_modules()
    assert set(ROUTES) == set(MESSAGE_TYPES)
    for task, queue in ROUTES.values():
        assert task in app.tasks
        assert queue in QUEUES
