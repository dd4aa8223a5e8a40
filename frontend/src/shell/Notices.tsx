import { Notifications } from "@mantine/notifications";

export { notifications } from "@mantine/notifications";

/** Where notices appear; one that was shown before this is there appears with it. */
export function Notices() {
  return <Notifications position="bottom-right" />;
}
