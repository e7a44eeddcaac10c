/** The form of the texts of one area, beside a drawing of its pages that follows it. */
import { Button, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import type { PageTextArea } from '../../../../src/features/settings/page-texts/catalogue.ts'
import { builtInText } from '../../../../src/features/settings/page-texts/catalogue.ts'
import type { Texts as PageTexts } from '../../../../src/web/texts/en.ts'
import { ConfirmEnd } from '../../parts/confirm-end.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { AreaPreview } from './area-preview.tsx'
import { fieldOfKey, type Listed, listOf, textsOfArea, valuesOf } from './text-values.ts'
import { pageTextsTexts } from './texts/page-texts/index.ts'

interface TextsFormProps {
  readonly request: { readonly language: string; readonly organizationId?: string }
  readonly area: PageTextArea
  /** What this owner has set. */
  readonly own: readonly Listed[]
  /** What the instance has set, for an organization. */
  readonly inherited: readonly Listed[]
  readonly builtIn: PageTexts
  readonly mayWrite: boolean
  readonly mayReset: boolean
}

const { getPageTexts, setPageTexts, resetPageTexts } = SettingsService.method

/** The form. An empty field means the usual text, which it shows. */
export function TextsForm({ request, area, own, inherited, builtIn, mayWrite, mayReset }: TextsFormProps) {
  const t = useTexts(pageTextsTexts)
  const { saved } = useTexts(partsTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const { form, problems, showErrorOf } = usePageTextsForm(area, own)
  const changes = [getPageTexts]
  const start = (texts: readonly Listed[]) => {
    form.setInitialValues(valuesOf(area, texts))
    form.setValues(valuesOf(area, texts))
  }
  const save = useAction(setPageTexts, { done: saved, changes, onError: showErrorOf, onDone: () => form.resetDirty() })
  const clear = useAction(resetPageTexts, { done: saved, changes, onDone: () => form.resetDirty() })
  const reset = useAction(resetPageTexts, { done: t.resetDone, changes, onDone: () => start([]) })
  const usual = (key: string) => inherited.find((one) => one.key === key)?.text ?? builtInText(builtIn, key)
  const send = form.onSubmit((values) => {
    const texts = listOf(area, values, own).map(({ key, text }) => ({ key, text }))
    return texts.length === 0 ? clear.run(request) : save.run({ ...request, texts })
  })
  const shown = (key: string) => form.values[fieldOfKey(key)]?.trim() || usual(key)
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <FormSection
        title={t.areas[area]}
        description={t.hint}
        problems={problems}
        mayWrite={mayWrite}
        isRunning={save.isRunning || clear.isRunning}
        isDirty={form.isDirty()}
        onSubmit={send}
        actions={
          own.length > 0 &&
          mayReset && (
            <Button variant="default" onClick={open}>
              {t.reset}
            </Button>
          )
        }
      >
        {textsOfArea(area).map(([key, { part, places }]) => {
          const Field = part === 'text' ? Textarea : TextInput
          return (
            <Field
              key={key}
              label={`${t.parts[part]}: ${usual(key)}`}
              {...(places.length > 0 && {
                description: t.keep({ places: places.map((name) => `{{.${name}}}`).join(' ') }),
              })}
              placeholder={usual(key)}
              maxLength={500}
              {...(part === 'text' && { autosize: true, minRows: 1 })}
              {...form.getInputProps(fieldOfKey(key))}
            />
          )
        })}
      </FormSection>
      <Section title={t.preview} description={t.previewHint}>
        <AreaPreview label={`${t.preview}: ${t.areas[area]}`} area={area} shown={shown} />
      </Section>
      <ConfirmEnd
        title={t.resetQuestion}
        text={t.resetConsequence}
        button={t.reset}
        isOpen={isOpen}
        isRunning={reset.isRunning}
        onClose={close}
        onConfirm={() => reset.run(request)}
      />
    </SimpleGrid>
  )
}

/** The server names texts by their place in the list that was sent. */
function usePageTextsForm(area: PageTextArea, own: readonly Listed[]) {
  const server = useServerForm<Record<string, string>>({ initialValues: valuesOf(area, own), paths: {} })
  const { form } = server
  const sent = listOf(area, form.values, own)
  const paths = new Map(sent.map(({ key }, index) => [`texts[${index}].text`, fieldOfKey(key)]))
  return { ...server, showErrorOf: (error: unknown) => server.showError(error, paths) }
}
