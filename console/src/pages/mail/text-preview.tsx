/**
 * How a mail looks, with sample values. It is drawn from its parts: the policy of the console lets no markup become part
 * of the page, so a page of one's own is shown as plain text.
 */

import { Alert, Code, Stack, Tabs, Text } from '@mantine/core'
import type { Language } from '../../../../src/kernel/languages.ts'
import { Section } from '../../parts/section.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type SampleMail, sampleMail } from './sample-mail.ts'
import classes from './text-preview.module.css'
import type { TextValues } from './text-values.ts'
import { mailTexts } from './texts/index.ts'

interface TextPreviewProps {
  readonly type: string
  readonly language: Language
  readonly values: TextValues
}

/** The preview, as a drawing and as plain text. */
export function TextPreview({ type, language, values }: TextPreviewProps) {
  const t = useTexts(mailTexts)
  const mail = sampleMail(type, language, values)
  if (mail === undefined) return null
  return (
    <Section title={t.texts.preview} description={t.texts.previewHint}>
      {values.html !== '' && <Alert color="yellow">{t.texts.htmlPreview}</Alert>}
      <Tabs defaultValue="drawing" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="drawing">{t.texts.formatted}</Tabs.Tab>
          <Tabs.Tab value="text">{t.texts.plain}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="drawing">
          <Drawing mail={mail} language={language} />
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <Code block lang={language} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {mail.text}
          </Code>
        </Tabs.Panel>
      </Tabs>
    </Section>
  )
}

function Drawing({ mail, language }: { readonly mail: SampleMail; readonly language: Language }) {
  const t = useTexts(mailTexts)
  const { parts, link, linkLabel, code, codeLabel, validity } = mail
  return (
    <Stack gap="xs" lang={language}>
      <Text size="sm">
        <Text span c="dimmed" lang="">
          {t.texts.subject}:{' '}
        </Text>
        <strong>{parts.subject}</strong>
      </Text>
      <div className={classes.page}>
        <div className={classes.card}>
          {parts.title !== '' && <p className={classes.title}>{parts.title}</p>}
          {parts.greeting !== '' && <p>{parts.greeting}</p>}
          {parts.text !== '' && <p>{parts.text}</p>}
          {link !== '' && parts.buttonText !== '' && (
            <p>
              <span className={classes.button}>{parts.buttonText}</span>
            </p>
          )}
          {code !== '' && (
            <>
              <p className={classes.quiet}>{codeLabel}</p>
              <p>
                <span className={classes.code}>{code}</span>
              </p>
            </>
          )}
          {validity !== '' && <p className={classes.quiet}>{validity}</p>}
          {link !== '' && (
            <p className={classes.quiet}>
              {linkLabel}
              <br />
              {link}
            </p>
          )}
          {parts.footer !== '' && <p className={classes.quiet}>{parts.footer}</p>}
        </div>
      </div>
    </Stack>
  )
}
