/** Finds people, things, pages, settings and documentation by name. Arrow keys choose, Enter opens. */
import {
  Box,
  Group,
  Kbd,
  Modal,
  ScrollArea,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useMe } from '../../access/me.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useTexts } from '../../texts/index.tsx'
import { shellTexts } from '../texts/index.ts'
import type { Found, FoundIn } from './found.ts'
import { rememberRecent } from './recent.ts'
import { type SearchResult, useSearch } from './use-search.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

interface SearchDialogProps {
  readonly text: string
  onChange(text: string): void
  /** The field has the focus: what is typed from here on is its own. */
  onReady(): void
  onClose(): void
}

/** The dialog, while it is open. */
export function SearchDialog({ text, onChange, onReady, onClose }: SearchDialogProps) {
  const t = useTexts(shellTexts)
  const id = useId()
  const navigate = useNavigate()
  const { userId } = useMe()
  const [chosenKey, setChosenKey] = useState<string>()
  const result = useSearch(text.trim())
  const all = result.groups.flatMap(({ found }) => found)
  // By its key, because more is found while the user looks at the list.
  const chosenAt = Math.max(
    0,
    all.findIndex(({ key }) => key === chosenKey),
  )
  const chosen = all[chosenAt]
  const open = (found: Found) => {
    rememberRecent(userId, found)
    onClose()
    // In another tab, as the help of a page: the form here may be half filled in.
    if (found.group === 'guides') return void window.open(found.to, '_blank', 'noreferrer')
    void navigate({ to: found.to, ...(found.anchor !== undefined && { hash: found.anchor }) })
  }
  const press = (event: KeyboardEvent) => {
    // An editor of characters, such as one for Japanese, has its own use for these keys.
    if (event.nativeEvent.isComposing) return
    const step = STEPS[event.key]
    if (step !== undefined && all.length > 0) setChosenKey(all[(chosenAt + step + all.length) % all.length]?.key)
    if (event.key === 'Enter' && chosen) open(chosen)
    if (step !== undefined || event.key === 'Enter') event.preventDefault()
  }
  const optionId = (found: Found) => `${id}-${all.indexOf(found)}`
  return (
    // From its parts, because the simple form has no place for a name without a heading.
    <Modal.Root opened onClose={onClose} size="lg" yOffset="8vh">
      <Modal.Overlay />
      <Modal.Content aria-label={t.search.button}>
        <Modal.Body p="sm">
          <TextInput
            data-autofocus
            role="combobox"
            aria-expanded={all.length > 0}
            aria-controls={`${id}-results`}
            aria-activedescendant={chosen && optionId(chosen)}
            aria-autocomplete="list"
            aria-label={t.search.label}
            placeholder={t.search.label}
            leftSection={<Icon name="search" />}
            size="md"
            value={text}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => {
              onChange(event.currentTarget.value)
              setChosenKey(undefined)
            }}
            onFocus={({ currentTarget: field }) => {
              field.setSelectionRange(field.value.length, field.value.length)
              onReady()
            }}
            onKeyDown={press}
          />
          <SearchState text={text.trim()} result={result} count={all.length} />
          <ScrollArea.Autosize mah="56vh" type="auto" mt={all.length > 0 ? 'xs' : 0}>
            <Stack id={`${id}-results`} role="listbox" aria-label={t.search.button} gap="xs">
              {result.groups.map((one) => (
                <FoundGroup key={one.group} {...one} chosen={chosen} optionId={optionId} onOpen={open} />
              ))}
            </Stack>
          </ScrollArea.Autosize>
          <KeyHints />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

interface SearchStateProps {
  readonly text: string
  readonly result: SearchResult
  readonly count: number
}

/** What screen readers hear, and what is shown where nothing is. */
function SearchState({ text, result: { isReading, error, refetch }, count }: SearchStateProps) {
  const { search: t } = useTexts(shellTexts)
  if (text === '') return null
  const said = isReading ? t.reading : count === 0 ? t.nothing : t.count({ count })
  return (
    <>
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {count === 0 ? (
        <Text role="status" p="sm" c="dimmed">
          {said}
        </Text>
      ) : (
        <VisuallyHidden role="status">{said}</VisuallyHidden>
      )}
    </>
  )
}

interface FoundGroupProps extends FoundIn {
  readonly chosen: Found | undefined
  optionId(found: Found): string
  onOpen(found: Found): void
}

function FoundGroup({ group, found, chosen, optionId, onOpen }: FoundGroupProps) {
  const { search: t } = useTexts(shellTexts)
  const id = useId()
  return (
    <Stack gap={2} role="group" aria-labelledby={id}>
      <Text id={id} size="xs" fw={600} c="dimmed" px="xs">
        {t.groups[group]}
      </Text>
      {found.map((one) => (
        <Option key={one.key} id={optionId(one)} found={one} isChosen={one === chosen} onOpen={onOpen} />
      ))}
    </Stack>
  )
}

interface OptionProps {
  readonly id: string
  readonly found: Found
  readonly isChosen: boolean
  onOpen(found: Found): void
}

function Option({ id, found, isChosen, onOpen }: OptionProps) {
  useEffect(() => {
    if (isChosen) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id, isChosen])
  return (
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={() => onOpen(found)}
      px="xs"
      py={6}
      bdrs="md"
      bg={isChosen ? 'var(--mantine-primary-color-light)' : undefined}
    >
      <Group gap="sm" wrap="nowrap">
        <Icon name={found.icon} />
        <Box miw={0}>
          <Text size="sm" truncate>
            {found.label}
          </Text>
          {found.detail !== '' && (
            <Text size="xs" c={isChosen ? undefined : 'dimmed'} truncate>
              {found.detail}
            </Text>
          )}
        </Box>
      </Group>
    </UnstyledButton>
  )
}

function KeyHints() {
  const { keys } = useTexts(shellTexts).search
  const hints = [
    ['↑ ↓', keys.choose],
    ['Enter', keys.open],
    ['Esc', keys.close],
  ] as const
  return (
    <Group gap="md" mt="sm" visibleFrom="sm" aria-hidden="true">
      {hints.map(([key, label]) => (
        <Text key={key} size="xs" c="dimmed">
          <Kbd size="xs">{key}</Kbd> {label}
        </Text>
      ))}
    </Group>
  )
}
