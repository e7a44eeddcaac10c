/** The page of one identity provider. */
import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { DetailPage } from '../../parts/detail-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { InOrganization } from '../../parts/in-organization.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { useTexts } from '../../texts/index.tsx'
import { DangerTab } from './danger-tab.tsx'
import { ProviderState } from './list.tsx'
import { ProviderLogo } from './logo.tsx'
import { OfferTab } from './offer-tab.tsx'
import { ownerOf, useProviderPermissions } from './owner.ts'
import { SettingsTab } from './settings-tab.tsx'
import { SPECS, templateOf } from './templates.ts'
import { providerTexts } from './texts/index.ts'
import { useProvider } from './use-provider.ts'

/** The page. */
export function ProviderDetailPage() {
  const { providerId } = useParams({ from: '/identity-providers/$providerId' })
  const { otherOrganizationId } = useProvider(providerId)
  return (
    <InOrganization organizationId={otherOrganizationId}>
      <ProviderDetail key={providerId} providerId={providerId} />
    </InOrganization>
  )
}

function ProviderDetail({ providerId }: { readonly providerId: string }) {
  const t = useTexts(providerTexts)
  const { provider, error, refetch } = useProvider(providerId)
  const { mayWrite, mayOffer } = useProviderPermissions()
  if (error !== null && provider === undefined) return <FailureNotice error={error} onRetry={refetch} />
  if (provider === undefined) return <PageLoader />
  const owner = ownerOf(provider)
  const template = templateOf(provider.type)
  return (
    <DetailPage
      title={provider.name}
      subtitle={`${SPECS[template].name} · ${t.owners[owner]} · ${providerId}`}
      badge={
        <>
          <ProviderLogo template={template} />
          <ProviderState provider={provider} />
        </>
      }
      parent={{ to: '/identity-providers', label: t.title }}
      actions={
        <Button
          component={Link}
          to="/identity-providers/$providerId/test"
          params={{ providerId } as never}
          variant="default"
        >
          {t.test.title}
        </Button>
      }
      tabs={[
        {
          value: 'settings',
          label: t.tabs.settings,
          content: <SettingsTab provider={provider} template={template} mayWrite={mayWrite(owner)} />,
        },
        mayOffer(owner) && {
          value: 'offer',
          label: t.tabs.offer,
          content: <OfferTab provider={provider} />,
        },
        mayWrite(owner) && {
          value: 'danger',
          label: t.tabs.danger,
          content: <DangerTab provider={provider} />,
        },
      ]}
    />
  )
}
