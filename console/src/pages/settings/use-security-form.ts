/** A form about a part of the security settings, which the server replaces as a whole. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { UseFormInput } from '@mantine/form'
import type {
  SecuritySettings,
  SetSecuritySettingsRequestSchema,
} from '../../../../contract/gen/signet/settings/v2/security_settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { readFailure } from '../../api/errors.ts'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'

const { getSecuritySettings, setSecuritySettings } = SettingsService.method

type Change = Omit<MessageInitShape<typeof SetSecuritySettingsRequestSchema>, '$typeName' | '$unknown'>

interface SecurityFormOptions<Values> {
  readonly initialValues: Values
  readonly validate?: UseFormInput<Values>['validate']
  readonly paths: Partial<Readonly<Record<keyof Values & string, string>>>
  /** Fields with a list, and its path in the request: the server names the entry that is wrong by its place. */
  readonly lists?: Partial<Readonly<Record<keyof Values & string, string>>>
  readonly refusals?: Readonly<Record<string, keyof Values & string>>
  /** What the form changes. */
  changeOf(values: Values): Change
}

/** Opens the form. */
export function useSecurityForm<Values extends Record<string, unknown>>(
  settings: SecuritySettings,
  { initialValues, paths, lists = {}, refusals = {}, changeOf }: SecurityFormOptions<Values>,
) {
  const { saved } = useTexts(partsTexts)
  const opened = useServerForm<Values>({ initialValues, paths: { ...paths, ...lists }, refusals })
  const { form, problems, showError } = opened
  const save = useAction(setSecuritySettings, {
    done: saved,
    changes: [getSecuritySettings],
    onError(error) {
      const { violations } = readFailure(error)
      const isShown = showError(error)
      for (const [field, path] of Object.entries(lists) as [keyof Values & string, string][]) {
        const wrong = violations.find((one) => one.field.startsWith(path))
        const entries = form.values[field] as readonly string[]
        const entry = entries[Number(/\[(\d+)\]/.exec(wrong?.field ?? '')?.[1])] ?? ''
        if (wrong !== undefined) form.setFieldError(field, `${entry} ${wrong.description}`.trim())
      }
      return isShown
    },
    onDone: () => form.resetDirty(),
  })
  const send = (values: Values) => {
    // What is not given is switched off: settings that this form does not know are sent as they are.
    const { $typeName: _, $unknown: __, ...others } = settings
    return save.run({ ...others, ...changeOf(values) })
  }
  return { form, problems, save: { send, isRunning: save.isRunning } }
}
