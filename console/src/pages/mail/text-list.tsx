/** The list of the texts of mails, one row for each purpose and language. */

import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { MessageType } from '../../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '../../../../src/kernel/languages.ts'
import { useSettingsOwner } from '../../access/settings-owner.ts'
import { AreaLinks } from '../../parts/area-links.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { localRows } from '../../parts/local-rows.ts'
import { policyTexts } from '../../parts/policy/texts/index.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useListState } from '../../parts/use-list-state.ts'
import { useTexts } from '../../texts/index.tsx'
import { TEXT_LIST } from './list-specs.ts'
import { TEXT_TYPES, typeLabel, typeName } from './message-types.ts'
import type { MailTexts } from './texts/en.ts'
import { mailTexts } from './texts/index.ts'

interface TextRow {
  readonly type: MessageType
  readonly label: string
  readonly language: Language
  readonly isCustom: boolean
}

function columnsOf(t: MailTexts): [Column<TextRow>, ...Column<TextRow>[]] {
  return [
    {
      key: 'message',
      header: t.texts.message,
      sort: 'message',
      cell: ({ type, language, label }) => (
        <Anchor
          component={Link}
          to="/mail/texts/$type/$language"
          params={{ type: typeName(type), language } as never}
          size="sm"
          fw={500}
          aria-label={`${label}, ${LANGUAGES[language]}`}
        >
          {label}
        </Anchor>
      ),
    },
    {
      key: 'language',
      header: t.texts.language,
      sort: 'language',
      cell: ({ language }) => <Text size="sm">{LANGUAGES[language]}</Text>,
    },
    {
      key: 'origin',
      header: t.texts.origin,
      cell: ({ isCustom }) => (
        <StateBadge mood={isCustom ? 'good' : 'stopped'} label={isCustom ? t.texts.custom : t.texts.notCustom} />
      ),
    },
  ]
}

/** The page. */
export function MessageTextListPage() {
  const t = useTexts(mailTexts)
  const { ofInstance, ofOrganization } = useTexts(policyTexts)
  const state = useListState(TEXT_LIST)
  const { organizationId } = useSettingsOwner()
  const custom = useQuery(MailService.method.listMessageTexts, {
    pagination: { limit: 1000 },
    ...(organizationId !== undefined && { organizationId }),
  })
  const isCustom = (type: MessageType, language: string) =>
    custom.data?.texts.some((text) => text.type === type && text.language === language) ?? false
  const rows = TEXT_TYPES.flatMap((type) =>
    LANGUAGE_TAGS.map((language) => ({
      type,
      language,
      label: typeLabel(type, t),
      isCustom: isCustom(type, language),
    })),
  )
  const list = localRows<TextRow>(
    {
      rows: custom.data && rows,
      error: custom.error,
      refetch: custom.refetch,
      textOf: ({ label }) => label,
      sorts: { message: ({ label }) => label, language: ({ language }) => LANGUAGES[language] },
      filters: {
        language: ({ language }) => language,
        origin: (row) => (row.isCustom ? 'custom' : 'builtIn'),
      },
    },
    state,
  )
  return (
    <Stack>
      <AreaLinks area="/mail" />
      <ListPage
        title={t.texts.title}
        description={organizationId === undefined ? ofInstance : ofOrganization}
        state={state}
        searchLabel={t.texts.message}
        filters={[
          {
            name: 'language',
            label: t.texts.language,
            options: Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
          },
          {
            name: 'origin',
            label: t.texts.origin,
            options: [
              { value: 'custom', label: t.texts.custom },
              { value: 'builtIn', label: t.texts.notCustom },
            ],
          },
        ]}
        columns={columnsOf(t)}
        list={list}
        keyOf={({ type, language }) => `${type} ${language}`}
      />
    </Stack>
  )
}
