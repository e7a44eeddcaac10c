/** The page of one organization: each tab is a file of its own. */
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization } from '../../access/organization.tsx'
import { DetailPage } from '../../parts/detail-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { MembersTab } from '../administrators/members-tab.tsx'
import { DangerTab } from './danger-tab.tsx'
import { DomainsTab } from './domains-tab.tsx'
import { GeneralTab } from './general-tab.tsx'
import { MetadataTab } from './metadata-tab.tsx'
import { OrganizationStateBadge } from './organization-state.tsx'
import { organizationTexts } from './texts/index.ts'

/** The page. */
export function OrganizationDetailPage() {
  const t = useTexts(organizationTexts)
  const { failure } = useTexts(partsTexts)
  const { organizationId } = useParams({ from: '/organizations/$organizationId' })
  const { can } = usePermissions()
  const { data, error, refetch } = useQuery(OrganizationService.method.listOrganizations, {
    queries: [{ query: { case: 'idQuery', value: { id: organizationId } } }],
  })
  if (error !== null && data === undefined) return <FailureNotice error={error} onRetry={refetch} />
  if (data === undefined) return <PageLoader />
  const [organization] = data.result
  if (organization === undefined) {
    return (
      <Alert color="red" title={failure.notFoundTitle}>
        {t.notFound}
      </Alert>
    )
  }
  const place = { organizationId }
  const mayWrite = can('org.write', place)
  const mayRemove = can('org.delete', place)
  return (
    <DetailPage
      key={organizationId}
      title={organization.name}
      subtitle={[organization.primaryDomain, organizationId].filter(Boolean).join(' · ')}
      badge={<OrganizationStateBadge state={organization.state} />}
      parent={{ to: '/organizations', label: t.title }}
      actions={<WorkHereButton organizationId={organizationId} />}
      tabs={[
        {
          value: 'general',
          label: t.tabs.general,
          content: <GeneralTab organization={organization} mayWrite={mayWrite} />,
        },
        {
          value: 'domains',
          label: t.tabs.domains,
          content: <DomainsTab organizationId={organizationId} mayWrite={mayWrite} />,
        },
        can('org.member.read', place) && {
          value: 'members',
          label: t.tabs.members,
          content: (
            <MembersTab
              place={{ level: 'organization', id: organizationId }}
              mayWrite={can('org.member.write', place)}
            />
          ),
        },
        {
          value: 'metadata',
          label: t.tabs.metadata,
          content: <MetadataTab organizationId={organizationId} mayWrite={mayWrite} />,
        },
        (mayWrite || mayRemove) && {
          value: 'danger',
          label: t.tabs.danger,
          content: <DangerTab organization={organization} mayWrite={mayWrite} mayRemove={mayRemove} />,
        },
      ]}
    />
  )
}

/** Chooses the organization in the header, so that all lists show what belongs to it. */
function WorkHereButton({ organizationId }: { readonly organizationId: string }) {
  const t = useTexts(organizationTexts)
  const { organizationId: chosen, choose } = useOrganization()
  if (chosen === organizationId) return null
  return (
    <Button variant="default" onClick={() => choose(organizationId)}>
      {t.workHere}
    </Button>
  )
}
