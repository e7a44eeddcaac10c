/** A list of addresses, each checked while it is typed. */
import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { useTexts } from '../../texts/index.tsx'
import { applicationTexts } from './texts/index.ts'

interface UriListFieldProps {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly value: readonly string[]
  onChange(value: string[]): void
  /** The sentence that says what is wrong with an address; undefined when nothing is. */
  problemOf(text: string): string | undefined
  readonly error?: ReactNode
  readonly isDisabled?: boolean
}

/** One field per address; there is always one to type into. */
export function UriListField(props: UriListFieldProps) {
  const { label, description, placeholder, value, onChange, problemOf, error, isDisabled = false } = props
  const t = useTexts(applicationTexts)
  const rows = value.length === 0 ? [''] : value
  const put = (index: number, text: string) => onChange(rows.with(index, text))
  const remove = (index: number) => onChange(rows.filter((_, at) => at !== index))
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      error={error}
      role="group"
      aria-label={label}
    >
      <Stack gap="xs" mt={6}>
        {rows.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place, and focus stays there
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              flex={1}
              type="url"
              aria-label={t.uri.numbered({ label, number: index + 1 })}
              placeholder={placeholder}
              autoComplete="off"
              value={text}
              error={text.trim() === '' ? undefined : problemOf(text.trim())}
              onChange={(event) => put(index, event.currentTarget.value)}
            />
            {value.length > 0 && !isDisabled && (
              <ActionIcon
                variant="default"
                size={36}
                aria-label={t.uri.removeNumbered({ label, number: index + 1 })}
                onClick={() => remove(index)}
              >
                <Icon name="remove" size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {!isDisabled && (
          <Button
            variant="subtle"
            size="xs"
            w="fit-content"
            leftSection={<Icon name="plus" size={14} />}
            aria-label={`${t.uri.add}: ${label}`}
            onClick={() => onChange([...rows, ''])}
          >
            {t.uri.add}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  )
}
