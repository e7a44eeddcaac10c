/** Adds a transmitter, and shows once what it must know; or changes one. */
import { Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useState } from 'react'
import { ProviderType } from '../../../../contract/gen/signet/idp/v1/config_pb.ts'
import { IDPOwnerType, type Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { type TrustedTransmitter, WhenAccountDisabled } from '../../../../contract/gen/signet/signal/v1/signal_pb.ts'
import { SignalService } from '../../../../contract/gen/signet/signal/v1/signal_service_pb.ts'
import { useTargetOrganization } from '../../access/organization.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { useMayWrite } from './owner.ts'
import { signalTexts } from './texts/index.ts'

const { createTrustedTransmitter, updateTrustedTransmitter, listTrustedTransmitters } = SignalService.method
const PATHS = { name: 'name', issuer: 'issuer', audience: 'audience', jwksUri: 'jwksUri', idpId: 'idpId' } as const
/** Providers whose accounts have no issuer, so that no signal can name them. */
const WITHOUT_ISSUER: readonly ProviderType[] = [
  ProviderType.LDAP,
  ProviderType.OAUTH,
  ProviderType.GITHUB,
  ProviderType.GITHUB_ES,
]

function valuesOf(transmitter: TrustedTransmitter | 'new') {
  const { name, issuer, jwksUri, idpId, audience, whenAccountDisabled } =
    transmitter === 'new'
      ? { name: '', issuer: '', audience: '', jwksUri: '', idpId: '', whenAccountDisabled: undefined }
      : transmitter
  const whenDisabled = String(whenAccountDisabled ?? WhenAccountDisabled.END_SESSIONS)
  return { name, issuer, audience: audience || location.origin, jwksUri, idpId, whenDisabled }
}

interface DialogProps {
  readonly transmitter: TrustedTransmitter | 'new'
  readonly providers: readonly Provider[]
  onClose(): void
}

export function TransmitterDialog({ transmitter, providers, onClose }: DialogProps) {
  const t = useTexts(signalTexts)
  const { required, saved, close } = useTexts(partsTexts)
  const organizationId = useTargetOrganization()
  const mayWrite = useMayWrite()
  const [created, setCreated] = useState<{ readonly endpoint: string; readonly token: string }>()
  // It acts on users of whom its provider belongs to: of one organization, or of all.
  const ownerOf = ({ owner }: Provider) => (owner === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM ? '' : organizationId)
  const offered = providers.filter((one) => !WITHOUT_ISSUER.includes(one.type) && mayWrite(ownerOf(one)))
  const { form, problems, showError } = useServerForm({
    initialValues: valuesOf(transmitter),
    validate: Object.fromEntries(Object.keys(PATHS).map((name) => [name, isNotEmpty(required)])),
    paths: PATHS,
    refusals: { 'trusted_transmitter.provider_not_found': 'idpId' },
  })
  const options = { changes: [listTrustedTransmitters], onError: showError }
  const create = useAction(createTrustedTransmitter, { ...options, done: t.added, onDone: setCreated })
  const update = useAction(updateTrustedTransmitter, { ...options, done: saved, onDone: onClose })
  const send = ({ whenDisabled, idpId, ...values }: ReturnType<typeof valuesOf>) => {
    const given = { ...values, whenAccountDisabled: Number(whenDisabled) as WhenAccountDisabled }
    const provider = offered.find(({ id }) => id === idpId)
    return transmitter === 'new'
      ? create.run({ ...given, idpId, organizationId: provider === undefined ? organizationId : ownerOf(provider) })
      : update.run({ ...given, transmitterId: transmitter.id })
  }
  if (created !== undefined) {
    return (
      <Modal opened onClose={onClose} title={t.added} closeButtonProps={{ 'aria-label': close }}>
        <Stack>
          <Text size="sm">{t.createdHint}</Text>
          <CopyField label={t.endpoint} value={created.endpoint} />
          <CopyField label={t.token} value={created.token} isSecret />
        </Stack>
      </Modal>
    )
  }
  return (
    <FormDialog
      title={transmitter === 'new' ? t.add : `${t.edit}: ${transmitter.name}`}
      submitLabel={transmitter === 'new' ? t.add : t.save}
      problems={problems}
      isRunning={create.isRunning || update.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit(send)}
    >
      <TextInput label={t.name} required {...form.getInputProps('name')} />
      {transmitter === 'new' && (
        <NativeSelect
          label={t.provider}
          description={t.providerHint}
          required
          data={[{ value: '', label: t.choose }, ...offered.map(({ id, name }) => ({ value: id, label: name }))]}
          {...form.getInputProps('idpId')}
        />
      )}
      <TextInput label={t.issuer} description={t.issuerHint} type="url" required {...form.getInputProps('issuer')} />
      <TextInput label={t.jwksUri} type="url" required {...form.getInputProps('jwksUri')} />
      <TextInput label={t.audience} description={t.audienceHint} required {...form.getInputProps('audience')} />
      <NativeSelect
        label={t.whenDisabled}
        data={[
          { value: String(WhenAccountDisabled.END_SESSIONS), label: t.endSessions },
          { value: String(WhenAccountDisabled.DEACTIVATE), label: t.deactivate },
        ]}
        {...form.getInputProps('whenDisabled')}
      />
    </FormDialog>
  )
}
