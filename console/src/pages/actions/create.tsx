/** Adds a target, and shows its signing key once. */
import { Button, Group, Stack } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionService } from '../../../../contract/gen/signet/action/v2/action_service_pb.ts'
import { AreaPage } from '../../parts/area-page.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormPage } from '../../parts/form-page.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { NEW_TARGET, requestOf, TARGET_PATHS, TargetFields } from './target-fields.tsx'
import { actionTexts } from './texts/index.ts'

/** The page: the form, and then the key. */
export function CreateTargetPage() {
  const t = useTexts(actionTexts)
  const { required } = useTexts(partsTexts)
  const [created, setCreated] = useState<{ readonly id: string; readonly signingKey: string }>()
  const { form, problems, showError } = useServerForm({
    initialValues: NEW_TARGET,
    validate: { name: isNotEmpty(required), endpoint: isNotEmpty(required) },
    paths: TARGET_PATHS,
    refusals: { 'target.name_taken': 'name' },
  })
  const create = useAction(ActionService.method.createTarget, {
    done: t.created,
    changes: [ActionService.method.listTargets],
    onError: showError,
    onDone: setCreated,
  })
  if (created === undefined) {
    return (
      <FormPage
        title={t.create}
        parent={{ to: '/actions', label: t.title }}
        problems={problems}
        isRunning={create.isRunning}
        onSubmit={form.onSubmit((values) => create.run(requestOf(values)))}
      >
        <TargetFields form={form} />
      </FormPage>
    )
  }
  return (
    <AreaPage title={t.created}>
      <Section title={t.signingKey} description={t.signingKeyHint}>
        <Stack>
          <CopyField label={t.signingKey} value={created.signingKey} isSecret />
          <Group justify="flex-end">
            <Button component={Link} to="/actions/$targetId" params={{ targetId: created.id } as never}>
              {t.continue}
            </Button>
          </Group>
        </Stack>
      </Section>
    </AreaPage>
  )
}
