/** How the hosted pages and mails look: a draft with a preview, which becomes visible when it is published. */
import { useQuery } from '@connectrpc/connect-query'
import { Button } from '@mantine/core'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import type { LabelPolicy } from '../../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import { AreaPage } from '../../parts/area-page.tsx'
import { PolicyOrigin, ResetButton } from '../../parts/policy/policy-origin.tsx'
import { policyTexts } from '../../parts/policy/texts/index.ts'
import { ownersMethod, usePolicy } from '../../parts/policy/use-policy.ts'
import { Reading } from '../../parts/reading.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { BrandingForm } from './branding-form.tsx'
import { BrandingLinks } from './branding-links.tsx'
import { LABEL_POLICY } from './label-policy.ts'
import { brandingTexts } from './texts/index.ts'

const admin = AdminService.method
const management = ManagementService.method

/** What a draft has of its own, without when it was changed. */
function contentOf({ details: _, isDefault: __, ...content }: LabelPolicy): string {
  return JSON.stringify(content)
}

/** The page. */
export function BrandingPage() {
  const t = useTexts(brandingTexts)
  const { ofInstance, ofOrganization } = useTexts(policyTexts)
  const reads = [admin.getLabelPolicy, management.getLabelPolicy]
  const policy = usePolicy(LABEL_POLICY, { changes: reads, resetDone: t.resetDone })
  const { isInstance, isInherited, mayWrite } = policy
  const active = useQuery(ownersMethod(isInstance, admin.getLabelPolicy, management.getLabelPolicy), {})
  const activate = ownersMethod(isInstance, admin.activateLabelPolicy, management.activateCustomLabelPolicy)
  const publish = useAction(activate, { done: t.published, changes: reads })
  const draft = policy.query.data
  const shown = active.data?.policy
  const isPublished = draft !== undefined && shown !== undefined && contentOf(draft) === contentOf(shown)
  return (
    <AreaPage
      title={t.title}
      links={<BrandingLinks />}
      description={isInstance ? ofInstance : ofOrganization}
      badge={
        <>
          <PolicyOrigin isInstance={isInstance} isInherited={isInherited} />
          {draft && shown && (
            <StateBadge mood={isPublished ? 'good' : 'waiting'} label={isPublished ? t.isPublished : t.isDraft} />
          )}
        </>
      }
      actions={
        <>
          <ResetButton name={t.title} isShown={policy.mayReset} isRunning={policy.isRunning} onReset={policy.reset} />
          {mayWrite && !isInherited && (
            <Button disabled={isPublished} loading={publish.isRunning} onClick={() => publish.run({})}>
              {t.publish}
            </Button>
          )}
        </>
      }
    >
      <Reading query={policy.query}>
        {(found) => (
          // Another owner, or settings that were reset: the form starts anew.
          <BrandingForm key={`${isInstance} ${isInherited} ${found.details?.resourceOwner}`} policy={found} />
        )}
      </Reading>
    </AreaPage>
  )
}
