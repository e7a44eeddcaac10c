/** The links between the pages of branding. */
import { AreaLinks } from '../../parts/area-links.tsx'
import { useTexts } from '../../texts/index.tsx'
import { brandingTexts } from './texts/index.ts'

/** The links. */
export function BrandingLinks() {
  const t = useTexts(brandingTexts)
  return <AreaLinks area="/branding" more={[{ to: '/settings/links', label: t.legalLinks }]} />
}
