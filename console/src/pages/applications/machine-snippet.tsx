/** How a machine gets a token for a project. */
import { Stack } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { environment } from '../../session/environment.ts'
import { useTexts } from '../../texts/index.tsx'
import { applicationTexts } from './texts/index.ts'

/** The addresses and ids to copy, and the request. */
export function MachineSnippet({ projectId }: { readonly projectId: string }) {
  const t = useTexts(applicationTexts)
  const { issuer } = environment()
  const code = `curl -u 'USERNAME_OF_THE_MACHINE:CLIENT_SECRET' \\
  -d grant_type=client_credentials \\
  -d 'scope=openid urn:zitadel:iam:org:project:id:${projectId}:aud' \\
  ${issuer}/oauth/v2/token`
  return (
    <Stack>
      <CopyField label={t.issuer} value={issuer} />
      <CopyField label={t.projectId} value={projectId} />
      <CodeBlock label="curl (client credentials)" code={code} />
    </Stack>
  )
}
