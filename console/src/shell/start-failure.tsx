/** What is shown when the sign-in failed or the server cannot be reached at the start. */
import { Alert, Button, Center, Stack, Text } from '@mantine/core'
import { SignInFailed } from '../session/sign-in.ts'
import { useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

/** Says why, and offers to try again. */
export function StartFailure({ error }: { readonly error: unknown }) {
  const t = useTexts(shellTexts)
  const isRefused = error instanceof SignInFailed
  return (
    <Center mih="100svh" p="md" component="main">
      <Alert color={isRefused ? 'red' : 'yellow'} title={isRefused ? t.signInFailed : t.lost.title} maw={480}>
        <Stack align="flex-start">
          <Text size="sm">{isRefused ? error.message : t.lost.text}</Text>
          <Button onClick={() => location.assign(import.meta.env.BASE_URL)}>{t.tryAgain}</Button>
        </Stack>
      </Alert>
    </Center>
  )
}
