/** The fields that people fill in for a group. */
import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/index.tsx'
import { groupTexts } from './texts/index.ts'

/** The longest name and description, in characters. */
const LONGEST = 200

export interface GroupValues {
  readonly name: string
  readonly description: string
}

/** The fields. */
export function GroupFields({ form }: { readonly form: UseFormReturnType<GroupValues> }) {
  const t = useTexts(groupTexts)
  return (
    <>
      <TextInput label={t.name} description={t.nameHint} required maxLength={LONGEST} {...form.getInputProps('name')} />
      <Textarea label={t.description} maxLength={LONGEST} autosize {...form.getInputProps('description')} />
    </>
  )
}
