/** The links between the pages of settings. */
import { usePermissions } from '../../access/me.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { useTexts } from '../../texts/index.tsx'
import { settingsTexts } from './texts/index.ts'

/** The links. */
export function SettingsLinks() {
  const t = useTexts(settingsTexts)
  const isOnInstance = usePermissions().can('iam.read')
  return (
    <AreaLinks
      label={t.title}
      links={[
        isOnInstance && { to: '/settings', label: t.areas.general },
        isOnInstance && { to: '/settings/tokens', label: t.areas.tokens },
        { to: '/settings/links', label: t.areas.links },
        isOnInstance && { to: '/settings/features', label: t.areas.features },
      ]}
    />
  )
}
