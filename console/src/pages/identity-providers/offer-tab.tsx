/** Whether the sign-in page offers an identity provider: the login policy of its owner decides. */
import { useQuery } from '@connectrpc/connect-query'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { IDPOwnerType, type Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { ActionRow } from '../../parts/action-row.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { Section } from '../../parts/section.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { ownerOf, PROVIDER_READS } from './owner.ts'
import { providerTexts } from './texts/index.ts'

/** More than any sign-in page offers. */
const MOST_OFFERED = 1000

/** The tab. */
export function OfferTab({ provider }: { readonly provider: Provider }) {
  const { offer: t } = useTexts(providerTexts)
  const isOfInstance = ownerOf(provider) === 'instance'
  const { method } = isOfInstance ? AdminService : ManagementService
  const offered = useQuery(method.listLoginPolicyIDPs as typeof ManagementService.method.listLoginPolicyIDPs, {
    query: { limit: MOST_OFFERED },
  })
  const add = useAction(method.addIDPToLoginPolicy as typeof ManagementService.method.addIDPToLoginPolicy, {
    done: t.addDone,
    changes: PROVIDER_READS,
  })
  const remove = useAction(
    method.removeIDPFromLoginPolicy as typeof ManagementService.method.removeIDPFromLoginPolicy,
    { done: t.removeDone, changes: PROVIDER_READS },
  )
  if (offered.error !== null) return <FailureNotice error={offered.error} onRetry={offered.refetch} />
  if (offered.data === undefined) return <PageLoader />
  const isOffered = offered.data.result.some(({ idpId }) => idpId === provider.id)
  const badge = <StateBadge mood={isOffered ? 'good' : 'stopped'} label={isOffered ? t.offered : t.notOffered} />
  return (
    <Section title={t.title} badge={badge} description={isOfInstance ? t.instanceHint : t.organizationHint}>
      {isOffered ? (
        <ActionRow
          label={t.remove}
          hint={t.removeHint}
          isRunning={remove.isRunning}
          onClick={() => remove.run({ idpId: provider.id })}
        />
      ) : (
        <ActionRow
          label={t.add}
          hint={t.addHint}
          isRunning={add.isRunning}
          onClick={() =>
            add.run({
              idpId: provider.id,
              ownerType: isOfInstance ? IDPOwnerType.IDP_OWNER_TYPE_SYSTEM : IDPOwnerType.IDP_OWNER_TYPE_ORG,
            })
          }
        />
      )}
    </Section>
  )
}
