/** One target: its settings, its signing key, and events that are sent again. */
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionService } from '../../../../contract/gen/signet/action/v2/action_service_pb.ts'
import type { Target } from '../../../../contract/gen/signet/action/v2/target_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { requestOf, TARGET_PATHS, TargetFields, valuesOf } from './target-fields.tsx'
import { actionTexts } from './texts/index.ts'

const methods = ActionService.method
const READS = [methods.getTarget, methods.listTargets] as const

/** The page. */
export function TargetPage() {
  const t = useTexts(actionTexts)
  const { targetId } = useParams({ from: '/actions/$targetId' })
  const { can } = usePermissions()
  const query = useQuery(methods.getTarget, { id: targetId })
  const target = query.data?.target
  const mayWrite = can('action.target.write')
  return (
    <AreaPage
      title={target?.name ?? t.target}
      actions={target && can('action.target.delete') && <RemoveTarget target={target} />}
      links={
        <Anchor component={Link} to="/actions" size="sm" w="fit-content">
          ← {t.title}
        </Anchor>
      }
    >
      <Reading query={{ ...query, data: target }}>
        {(found) => <TargetSections key={found.id} target={found} mayWrite={mayWrite} />}
      </Reading>
    </AreaPage>
  )
}

interface TargetProps {
  readonly target: Target
}

/** A new key is shown once, whichever change has made it. */
function TargetSections({ target, mayWrite }: TargetProps & { readonly mayWrite: boolean }) {
  const t = useTexts(actionTexts)
  const [key, setKey] = useState<string>()
  return (
    <Stack>
      <SettingsForm target={target} mayWrite={mayWrite} onKey={setKey} />
      {mayWrite && (
        <Section title={t.signingKey} {...(key !== undefined && { description: t.signingKeyHint })}>
          {key === undefined ? (
            <RotateKey target={target} onKey={setKey} />
          ) : (
            <CopyField label={t.signingKey} value={key} isSecret />
          )}
        </Section>
      )}
      {mayWrite && <ReplaySection target={target} />}
    </Stack>
  )
}

interface KeyProps extends TargetProps {
  onKey(key: string): void
}

function SettingsForm({ target, mayWrite, onKey }: KeyProps & { readonly mayWrite: boolean }) {
  const t = useTexts(actionTexts)
  const { saved, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: valuesOf(target),
    validate: { name: isNotEmpty(required), endpoint: isNotEmpty(required) },
    paths: TARGET_PATHS,
    refusals: { 'target.name_taken': 'name' },
  })
  const save = useAction(methods.updateTarget, {
    done: saved,
    changes: READS,
    onError: showError,
    onDone({ signingKey }) {
      form.resetDirty()
      if (signingKey !== undefined) onKey(signingKey)
    },
  })
  return (
    <FormSection
      title={t.settings}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit((values) => save.run({ id: target.id, ...requestOf(values) }))}
    >
      <TargetFields form={form} />
      <CopyField label="ID" value={target.id} />
    </FormSection>
  )
}

function RotateKey({ target: { id }, onKey }: KeyProps) {
  const t = useTexts(actionTexts)
  const rotate = useAction(methods.updateTarget, {
    done: t.rotated,
    changes: READS,
    onDone: ({ signingKey }) => signingKey !== undefined && onKey(signingKey),
  })
  return (
    <Group justify="space-between">
      <Text size="sm" flex="1 1 16rem">
        {t.rotateHint}
      </Text>
      <Button
        variant="default"
        loading={rotate.isRunning}
        onClick={() => rotate.run({ id, expirationSigningKey: durationFromMs(0) })}
      >
        {t.rotate}
      </Button>
    </Group>
  )
}

function ReplaySection({ target: { id } }: TargetProps) {
  const t = useTexts(actionTexts)
  const [after, setAfter] = useState<number | string>('')
  const replay = useAction(methods.replayTarget, { done: t.replayed })
  return (
    <Section title={t.replay} description={t.replayHint}>
      <Group align="flex-end">
        <NumberInput label={t.after} min={0} allowDecimal={false} value={after} onChange={setAfter} />
        <Button
          variant="default"
          disabled={after === ''}
          loading={replay.isRunning}
          onClick={() => replay.run({ id, after: BigInt(after) })}
        >
          {t.sendAgain}
        </Button>
      </Group>
    </Section>
  )
}

function RemoveTarget({ target: { id, name } }: TargetProps) {
  const t = useTexts(actionTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(methods.deleteTarget, {
    done: t.removed,
    changes: [methods.listTargets, methods.listExecutions],
    onDone: () => navigate({ to: '/actions' }),
  })
  return (
    <>
      <Button variant="default" leftSection={<Icon name="remove" size={16} />} onClick={open}>
        {t.remove}
      </Button>
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        consequence={t.removeConsequence}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ id })}
      />
    </>
  )
}
