/** What is shown in place of something that could not be read. */
import { Alert, Button, Stack, Text } from '@mantine/core'
import { readFailure } from '../api/errors.ts'
import { useTexts } from '../texts/index.tsx'
import { Icon } from './icons.tsx'
import { partsTexts } from './texts/index.ts'

/** The sentence for an error, in the user's language where the console knows it. */
export function useFailureSentence(): (error: unknown) => string {
  const t = useTexts(partsTexts)
  return (error) => {
    const { id, kind, message } = readFailure(error)
    if (kind === 'lost') return t.failure.lost
    if (id === 'access.forbidden') return t.failure.forbidden
    return message
  }
}

interface FailureNoticeProps {
  readonly error: unknown
  onRetry?(): unknown
}

/** Says what went wrong, with the code for support, and offers to try again. */
export function FailureNotice({ error, onRetry }: FailureNoticeProps) {
  const t = useTexts(partsTexts)
  const sentence = useFailureSentence()
  const { id, kind } = readFailure(error)
  const title = { lost: t.failure.lostTitle, forbidden: t.failure.forbiddenTitle, not_found: t.failure.notFoundTitle }
  return (
    <Alert
      color={kind === 'lost' ? 'yellow' : 'red'}
      icon={<Icon name={kind === 'lost' ? 'offline' : 'warning'} />}
      title={title[kind as keyof typeof title] ?? t.failure.title}
      my="md"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentence(error)}</Text>
        {id !== '' && (
          <Text size="xs" c="dimmed">
            {t.failure.code}: {id}
          </Text>
        )}
        {onRetry && kind !== 'forbidden' && (
          <Button size="xs" variant="default" onClick={() => void onRetry()}>
            {t.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
