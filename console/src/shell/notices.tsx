/** Shows the notices about changes. Loaded after the page: there is none before the first change. */
import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

export function Notices() {
  // Not over the buttons, which are at the top and at the right.
  return <Notifications position="bottom-left" />
}
