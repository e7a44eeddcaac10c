/** The text of one mail in one language. */

import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Stack } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { MessageType } from '../../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { type MessageText, MessageTextSource } from '../../../../contract/gen/signet/mail/v1/message_text_pb.ts'
import { LANGUAGES, type Language } from '../../../../src/kernel/languages.ts'
import { useSettingsOwner } from '../../access/settings-owner.ts'
import { AreaPage } from '../../parts/area-page.tsx'
import { Reading } from '../../parts/reading.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { NotFoundPage } from '../../shell/not-found.tsx'
import { useTexts } from '../../texts/index.tsx'
import { typeLabel, typeNamed } from './message-types.ts'
import { TextForm } from './text-form.tsx'
import { mailTexts } from './texts/index.ts'

/** The page. */
export function MessageTextPage() {
  const { type: name, language } = useParams({ from: '/mail/texts/$type/$language' })
  const type = typeNamed(name)
  if (type === undefined || !Object.hasOwn(LANGUAGES, language)) return <NotFoundPage />
  return <KnownText key={`${name} ${language}`} type={type} language={language as Language} />
}

function KnownText({ type, language }: { readonly type: MessageType; readonly language: Language }) {
  const t = useTexts(mailTexts)
  const { organizationId, mayWrite, mayReset } = useSettingsOwner()
  const request = { type, language, ...(organizationId !== undefined && { organizationId }) }
  const applied = useQuery(MailService.method.getMessageText, request)
  const own = useQuery(MailService.method.listMessageTexts, { ...request, pagination: { limit: 1 } })
  const { text, source = MessageTextSource.UNSPECIFIED } = applied.data ?? {}
  const ready: { applied: MessageText; own: MessageText | undefined } | undefined =
    text && own.data ? { applied: text, own: own.data.texts[0]?.text } : undefined
  const labels: Readonly<Record<number, string>> = {
    [MessageTextSource.BUILT_IN]: t.texts.builtIn,
    [MessageTextSource.INSTANCE]: t.texts.ofInstance,
    [MessageTextSource.ORGANIZATION]: t.texts.ofOrganization,
  }
  return (
    <AreaPage
      title={`${typeLabel(type, t)} (${LANGUAGES[language]})`}
      badge={
        ready && (
          <StateBadge mood={source === MessageTextSource.BUILT_IN ? 'stopped' : 'good'} label={labels[source] ?? ''} />
        )
      }
      links={
        <Anchor component={Link} to="/mail/texts" size="sm" w="fit-content">
          ← {t.texts.title}
        </Anchor>
      }
    >
      <Stack>
        <Reading
          query={{
            data: ready,
            error: applied.error ?? own.error,
            refetch: () => Promise.all([applied.refetch(), own.refetch()]),
          }}
        >
          {(found) => (
            <TextForm
              {...found}
              request={request}
              language={language}
              readAgain={async () => (await applied.refetch()).data?.text}
              mayWrite={mayWrite}
              mayReset={mayReset}
            />
          )}
        </Reading>
      </Stack>
    </AreaPage>
  )
}
