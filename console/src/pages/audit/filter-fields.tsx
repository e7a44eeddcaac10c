/** The fields of filters that sign-ins and events share. */
import { Select, type SelectProps, TextInput } from '@mantine/core'
import { partsTexts } from '../../parts/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'

interface TimeFieldProps {
  readonly label: string
  readonly value: string | undefined
  onChange(value: string): void
}

/** A local date and time. */
export function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      flex="0 1 13rem"
    />
  )
}

interface ChoiceFieldProps {
  readonly label: string
  readonly data: NonNullable<SelectProps['data']>
  readonly value: string | undefined
  onChange(value: string): void
}

/** One of a few values, or all. */
export function ChoiceField({ label, data, value, onChange }: ChoiceFieldProps) {
  const { list } = useTexts(partsTexts)
  return (
    <Select
      label={label}
      placeholder={list.all}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? '')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${list.all}` }}
      nothingFoundMessage={list.nothingFound}
      flex="1 1 13rem"
      maw={320}
    />
  )
}
