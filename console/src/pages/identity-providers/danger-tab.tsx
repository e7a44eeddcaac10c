/** Switches an identity provider off and on, and removes it. */
import { Divider, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { IDPState, type Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { ActionRow } from '../../parts/action-row.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { ownerOf, PROVIDER_READS } from './owner.ts'
import { providerTexts } from './texts/index.ts'

const ORGANIZATION_METHODS = {
  deactivate: ManagementService.method.deactivateOrgIDP,
  activate: ManagementService.method.reactivateOrgIDP,
  remove: ManagementService.method.deleteProvider,
}

/** The same fields, in the service of the instance. */
const INSTANCE_METHODS = {
  deactivate: AdminService.method.deactivateIDP,
  activate: AdminService.method.reactivateIDP,
  remove: AdminService.method.deleteProvider,
} as unknown as typeof ORGANIZATION_METHODS

function methodsOf(provider: Provider) {
  return ownerOf(provider) === 'instance' ? INSTANCE_METHODS : ORGANIZATION_METHODS
}

/** The tab. */
export function DangerTab({ provider }: { readonly provider: Provider }) {
  const t = useTexts(providerTexts)
  return (
    <Section title={t.tabs.danger}>
      <Stack gap="md">
        <ActivationRow provider={provider} />
        <Divider />
        <RemoveRow provider={provider} />
      </Stack>
    </Section>
  )
}

function ActivationRow({ provider }: { readonly provider: Provider }) {
  const { danger } = useTexts(providerTexts)
  const methods = methodsOf(provider)
  const deactivate = useAction(methods.deactivate, { done: danger.deactivateDone, changes: PROVIDER_READS })
  const activate = useAction(methods.activate, { done: danger.activateDone, changes: PROVIDER_READS })
  const idpId = provider.id
  return provider.state === IDPState.IDP_STATE_INACTIVE ? (
    <ActionRow
      label={danger.activate}
      hint={danger.activateHint}
      isRunning={activate.isRunning}
      onClick={() => activate.run({ idpId })}
    />
  ) : (
    <ActionRow
      label={danger.deactivate}
      hint={danger.deactivateHint}
      isRunning={deactivate.isRunning}
      onClick={() => deactivate.run({ idpId })}
    />
  )
}

function RemoveRow({ provider }: { readonly provider: Provider }) {
  const { danger } = useTexts(providerTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(methodsOf(provider).remove, {
    done: danger.removeDone,
    changes: [ManagementService.method.listProviders],
    onDone: () => navigate({ to: '/identity-providers' }),
  })
  return (
    <>
      <ActionRow label={danger.remove} hint={danger.removeHint} isDangerous onClick={open} />
      <ConfirmRemove
        name={provider.name}
        isOpen={isOpen}
        onClose={close}
        consequence={danger.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ id: provider.id })}
      />
    </>
  )
}
