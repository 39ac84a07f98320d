"""Another enrolled tablet takes over a table: the tablets there are fenced, the round goes on.

What was recorded of the round is the server's, so nothing is handed over from tablet to tablet;
what the old one had not sent is lost to it and is done again at the new one.
"""

from meter_server.access import attempts, audit, consoles, permissions
from meter_server.access.audit import Origin
from meter_server.access.consoles import Named
from meter_server.access.desk import Desk
from meter_server.access.permissions import Permission
from meter_server.access.refusals import Denied, Kind
from meter_server.storage import devices, floor_lists
from meter_server.storage.devices import Device, DeviceState


def take_over(
    desk: Desk, origin: Origin, device: Device, table_id: str, named: Named, pin: str
) -> list[str]:
    """A supervisor at the new tablet stands behind it; gives the tablets that are fenced now."""
    with audit.watched(desk, origin, "device:take-over", subject=table_id) as deed:
        account = attempts.prove_pin(deed, consoles.number_of(desk, named), pin)
        permissions.require(account, Permission.TAKE_OVER_TABLES)
        with desk.database.transaction() as connection:
            if not floor_lists.tables(connection, only=table_id):
                raise Denied(
                    Kind.UNKNOWN, f"There is no table {table_id}.", remedy="Look at the list."
                )
            locked = devices.lock_agents(connection, table_id, also=device.id)
            if device not in locked:
                raise Denied(
                    Kind.DEVICE_KEPT_OUT,
                    "The device was changed at the same moment.",
                    remedy="Try again.",
                )
            fenced = [
                other.id
                for other in locked
                if other.id != device.id and other.state is DeviceState.ENROLLED
            ]
            reason = f"{device.id} took over table {table_id}"
            for other in fenced:
                devices.keep_out(connection, other, DeviceState.REVOKED, reason)
            devices.move(connection, device.id, table_id)
            deed.done(
                connection,
                before={"table": device.table_id},
                after={"table": table_id, "device": device.id, "fenced": fenced},
            )
    return fenced
