/** The links between the pages of mail. */
import { usePermissions } from '../../access/me.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { useTexts } from '../../texts/index.tsx'
import { mailTexts } from './texts/index.ts'

/** The links. */
export function MailLinks() {
  const t = useTexts(mailTexts)
  const { can, canSomewhere } = usePermissions()
  return (
    <AreaLinks
      label={t.title}
      links={[
        can('iam.read') && { to: '/mail', label: t.links.server },
        canSomewhere('policy.read') && { to: '/mail/texts', label: t.links.texts },
        can('iam.read') && { to: '/mail/queue', label: t.links.queue },
        can('iam.write') && { to: '/mail/inbox', label: t.links.inbox },
      ]}
    />
  )
}
