/** What it takes to use an application: its settings to copy or download, code for a framework, and a sign-in to try. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, CopyButton, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { ProjectService } from '../../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import {
  envFileOf,
  FRAMEWORKS,
  type Framework,
  type FrameworkName,
  frameworksOf,
  likelyFramework,
  promptOf,
  runLineOf,
  settingsOf,
  UNKNOWN_AUDIENCE,
  UNKNOWN_SECRET,
} from '../../../../../packages/create/frameworks/index.ts'
import type { Place } from '../../../access/permissions.ts'
import { CodeBlock } from '../../../parts/code-block.tsx'
import { CopyField } from '../../../parts/copy-field.tsx'
import { downloadText } from '../../../parts/download.ts'
import { Section } from '../../../parts/section.tsx'
import { environment } from '../../../session/environment.ts'
import { random } from '../../../session/pkce.ts'
import { useTexts } from '../../../texts/index.tsx'
import type { OpenIdKind } from '../kinds.ts'
import { applicationTexts } from '../texts/index.ts'
import { FirstSignIn } from './first-sign-in.tsx'
import { type SnippetFile, useSnippetFiles } from './snippet-files.ts'
import { startTexts } from './texts/index.ts'
import { TrySignIn } from './try-sign-in.tsx'

/** Where the browser remembers what its user builds with. */
const KEY = 'signet.framework'

function remembered(): string | null {
  return localStorage.getItem(KEY)
}

/** The application that is shown. */
export interface Started {
  readonly kind: OpenIdKind
  readonly applicationId: string
  readonly place: Place & { readonly projectId: string }
  readonly clientId: string
  /** Only right after it was made. */
  readonly clientSecret?: string
  /** The address of an API, right after it was made. */
  readonly audience?: string
  readonly redirectUri: string
  readonly postLogoutRedirectUri: string
}

interface GetStartedProps {
  readonly started: Started
  readonly framework?: FrameworkName | undefined
  /** Whether the user may try a sign-in. */
  readonly mayTry: boolean
  /** The settings, with the secret in them, were copied or downloaded. */
  onKept?(): void
}

/** The parts, one below the other. */
export function GetStarted({ started, framework: first, mayTry, onKept }: GetStartedProps) {
  const t = useTexts(startTexts)
  const choices = frameworksOf(started.kind)
  const [name, setName] = useState(() => first ?? likelyFramework(started.kind, started.redirectUri, remembered()))
  useEffect(() => localStorage.setItem(KEY, name), [name])
  const framework = FRAMEWORKS[name]
  const files = useSnippetFiles(name)
  return (
    <Stack>
      <Settings started={started} name={name} onKept={onKept} />
      {started.kind !== 'api' && (
        <Section title={t.try}>
          {mayTry && <TrySignIn applicationId={started.applicationId} projectId={started.place.projectId} />}
          <FirstSignIn applicationId={started.applicationId} place={started.place} />
        </Section>
      )}
      {framework.files.length > 0 && (
        <Section title={t.code} description={t.codeHint}>
          {choices.length > 1 && (
            <NativeSelect
              label={t.framework}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value as FrameworkName)}
              data={choices.map((value) => ({ value, label: FRAMEWORKS[value].label }))}
            />
          )}
          <CopyPrompt framework={framework} files={files} redirectUri={started.redirectUri} />
          <CodeBlock label={t.create} code={framework.create.join('\n')} />
          {framework.install !== '' && <CodeBlock label={t.install} code={framework.install} />}
          {files.map(({ name: file, code }) => (
            <CodeBlock key={file} label={file} code={code} />
          ))}
          <CodeBlock label={t.run} code={runLineOf(framework, started.redirectUri)} />
        </Section>
      )}
    </Stack>
  )
}

interface CopyPromptProps {
  readonly framework: Framework
  readonly files: readonly SnippetFile[]
  readonly redirectUri: string
}

/** For those who let an agent write the code. There is no secret in it. */
function CopyPrompt({ framework, files, redirectUri }: CopyPromptProps) {
  const t = useTexts(startTexts)
  const { issuer } = environment()
  return (
    <Group>
      <CopyButton value={promptOf(framework, files, { issuer, redirectUri })}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? t.promptCopied : t.copyPrompt}
          </Button>
        )}
      </CopyButton>
      <Text size="sm" c="dimmed">
        {t.promptHint}
      </Text>
    </Group>
  )
}

interface SettingsProps extends Pick<GetStartedProps, 'started' | 'onKept'> {
  readonly name: FrameworkName
}

/** What the tokens of an API are for: what it was made with, or else the first resource of its project. */
function useAudience({ kind, audience, place: { projectId } }: Started): string | undefined {
  const enabled = kind === 'api' && audience === undefined
  const { data } = useQuery(ProjectService.method.listProjectResources, { projectId }, { enabled })
  return audience ?? data?.resources[0]?.uri
}

/** The file of settings. What is random in it stays while the page is open. */
function Settings({ started, name, onKept }: SettingsProps) {
  const t = useTexts(startTexts)
  const { clientId: clientIdLabel, issuer: issuerLabel } = useTexts(applicationTexts)
  const { issuer } = environment()
  const { clientId, clientSecret, redirectUri, postLogoutRedirectUri } = started
  const audience = useAudience(started)
  const file = useMemo(
    () =>
      envFileOf(
        settingsOf(
          FRAMEWORKS[name],
          { issuer, clientId, clientSecret, audience, redirectUri, postLogoutRedirectUri },
          random,
        ),
      ),
    [name, issuer, clientId, clientSecret, audience, redirectUri, postLogoutRedirectUri],
  )
  const download = () => {
    // Browsers do not save a name that begins with a dot.
    downloadText('app.env', file, 'application/octet-stream')
    onKept?.()
  }
  return (
    <Section title={t.settings} description={t.settingsHint}>
      <CopyField label={issuerLabel} value={issuer} />
      <CopyField label={clientIdLabel} value={clientId} />
      {audience !== undefined && <CopyField label={t.audience} value={audience} />}
      <CodeBlock label=".env" code={file.trimEnd()} onCopy={onKept} />
      {file.includes(UNKNOWN_SECRET) && (
        <Text size="sm" c="dimmed">
          {t.secretUnknown}
        </Text>
      )}
      {file.includes(UNKNOWN_AUDIENCE) && (
        <Text size="sm" c="dimmed">
          {t.audienceUnknown}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={download}>
          {t.download}
        </Button>
      </Group>
    </Section>
  )
}
