/** Switches an identity provider off and on, and removes it. */
import { useNavigate } from '@tanstack/react-router'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { IDPState, type Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { ActivationRow, DangerSection, RemoveRow } from '../../parts/danger-section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { ownerOf, PROVIDER_READS } from './owner.ts'
import { providerTexts } from './texts/index.ts'

const ORGANIZATION_METHODS = {
  deactivate: ManagementService.method.deactivateOrgIDP,
  activate: ManagementService.method.reactivateOrgIDP,
  remove: ManagementService.method.deleteProvider,
}

/** Their requests have the fields of those above. */
const INSTANCE_METHODS = {
  deactivate: AdminService.method.deactivateIDP,
  activate: AdminService.method.reactivateIDP,
  remove: AdminService.method.deleteProvider,
} as unknown as typeof ORGANIZATION_METHODS

/** The tab. */
export function DangerTab({ provider }: { readonly provider: Provider }) {
  const { tabs, danger } = useTexts(providerTexts)
  const navigate = useNavigate()
  const { id, name, state } = provider
  const methods = ownerOf(provider) === 'instance' ? INSTANCE_METHODS : ORGANIZATION_METHODS
  const deactivate = useAction(methods.deactivate, { done: danger.deactivateDone, changes: PROVIDER_READS })
  const activate = useAction(methods.activate, { done: danger.activateDone, changes: PROVIDER_READS })
  const remove = useAction(methods.remove, {
    done: danger.removeDone,
    changes: [ManagementService.method.listProviders],
    onDone: () => navigate({ to: '/identity-providers' }),
  })
  return (
    <DangerSection title={tabs.danger}>
      <ActivationRow
        texts={danger}
        isActive={state !== IDPState.IDP_STATE_INACTIVE}
        isRunning={activate.isRunning || deactivate.isRunning}
        onActivate={() => activate.run({ idpId: id })}
        onDeactivate={() => deactivate.run({ idpId: id })}
      />
      <RemoveRow texts={danger} name={name} isRunning={remove.isRunning} onRemove={() => remove.run({ id })} />
    </DangerSection>
  )
}
