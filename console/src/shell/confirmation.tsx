/** Tells users who had to sign in again that they can repeat what they wanted to do. */
import { notifications } from '@mantine/notifications'
import { useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

function Confirmed() {
  return <>{useTexts(shellTexts).confirmed}</>
}

/** Shows the notice once the page is there. */
export function announceConfirmation(): void {
  notifications.show({ message: <Confirmed />, color: 'green', autoClose: 10_000 })
}
