/** The form of a message text, beside a preview that follows it. */

import { Button, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { MessageType } from '../../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import type { MessageText } from '../../../../contract/gen/signet/mail/v1/message_text_pb.ts'
import { LANGUAGES, type Language } from '../../../../src/kernel/languages.ts'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { typeLabel, typeName } from './message-types.ts'
import { placesOfType } from './sample-mail.ts'
import { TextPreview } from './text-preview.tsx'
import { PARTS, type TextValues, valuesOf } from './text-values.ts'
import { mailTexts } from './texts/index.ts'

/** These may be left out of a mail; the others cannot be empty, so an empty field means the usual text. */
const MAY_BE_EMPTY: readonly string[] = ['title', 'greeting', 'footer']

interface TextFormProps {
  /** The text that applies. */
  readonly applied: MessageText
  /** The parts that this owner has set. */
  readonly own: MessageText | undefined
  readonly request: { readonly type: MessageType; readonly language: string; readonly organizationId?: string }
  readonly language: Language
  /** Reads the text that applies once more. */
  readAgain(): Promise<MessageText | undefined>
  readonly mayWrite: boolean
  readonly mayReset: boolean
}

/** The form. Only what was changed becomes part of the custom text; the rest keeps following the usual one. */
export function TextForm({ applied, own, request, language, readAgain, mayWrite, mayReset }: TextFormProps) {
  const t = useTexts(mailTexts)
  const { saved } = useTexts(partsTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const { getMessageText, listMessageTexts, setMessageText, resetMessageText } = MailService.method
  const changes = [getMessageText, listMessageTexts]
  const { form, problems, showError } = useServerForm<TextValues>({
    initialValues: valuesOf(applied),
    paths: Object.fromEntries(PARTS.map((part) => [part, `text.${part}`])),
  })
  const save = useAction(setMessageText, { done: saved, changes, onError: showError, onDone: () => form.resetDirty() })
  const reset = useAction(resetMessageText, {
    done: t.texts.resetDone,
    changes,
    onDone: async () => {
      const usual = await readAgain()
      if (usual === undefined) return
      form.setInitialValues(valuesOf(usual))
      form.setValues(valuesOf(usual))
    },
  })
  const send = form.onSubmit((values) => {
    const kept = PARTS.filter(
      (part) =>
        (form.isDirty(part) || own?.[part] !== undefined) && (values[part] !== '' || MAY_BE_EMPTY.includes(part)),
    )
    return save.run({ ...request, text: Object.fromEntries(kept.map((part) => [part, values[part]])) })
  })
  const places = placesOfType(typeName(request.type)).map((name) => `{{.${name}}}`)
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <FormSection
        title={t.texts.parts}
        problems={problems}
        mayWrite={mayWrite}
        isRunning={save.isRunning}
        isDirty={form.isDirty()}
        onSubmit={send}
        actions={
          own !== undefined &&
          mayReset && (
            <Button variant="default" onClick={open}>
              {t.texts.reset}
            </Button>
          )
        }
      >
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t.texts.places}: {places.join(' ')}
        </Text>
        <TextInput label={t.texts.subject} required {...form.getInputProps('subject')} />
        <TextInput label={t.texts.heading} {...form.getInputProps('title')} />
        <TextInput label={t.texts.greeting} {...form.getInputProps('greeting')} />
        <Textarea label={t.texts.text} required autosize minRows={3} {...form.getInputProps('text')} />
        <TextInput label={t.texts.button} required {...form.getInputProps('buttonText')} />
        <Textarea label={t.texts.footer} autosize minRows={2} {...form.getInputProps('footer')} />
        <Textarea
          label={t.texts.html}
          description={t.texts.htmlHint}
          autosize
          minRows={2}
          maxRows={16}
          spellCheck={false}
          {...form.getInputProps('html')}
        />
      </FormSection>
      <Stack>
        <TextPreview type={typeName(request.type)} language={language} values={form.values} />
      </Stack>
      <ConfirmRemove
        name={`${typeLabel(request.type, t)} (${LANGUAGES[language]})`}
        isOpen={isOpen}
        onClose={close}
        consequence={t.texts.resetConsequence}
        isRunning={reset.isRunning}
        onConfirm={() => reset.run(request)}
      />
    </SimpleGrid>
  )
}
