/** The files of a brand: logos, icons and the font. */
import { Button, FileButton, Group, Image, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { LabelPolicy } from '../../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import { shrunk } from '../../../../src/web/assets/shrink.js'
import { Section } from '../../parts/section.tsx'
import { useTexts } from '../../texts/index.tsx'
import { changeAsset } from './change-asset.ts'
import { brandingTexts } from './texts/index.ts'

const IMAGES = 'image/png,image/jpeg,image/webp,image/svg+xml'
const FONTS = '.woff2,.woff,.ttf,.otf'

/** Larger pictures are made smaller; the server decides. */
const MOST_BYTES = 512 * 1024

const SLOTS = [
  { path: 'logo', name: 'logo', url: 'logoUrl', accept: IMAGES },
  { path: 'logo/dark', name: 'logoDark', url: 'logoUrlDark', accept: IMAGES },
  { path: 'icon', name: 'icon', url: 'iconUrl', accept: IMAGES },
  { path: 'icon/dark', name: 'iconDark', url: 'iconUrlDark', accept: IMAGES },
  { path: 'font', name: 'font', url: 'fontUrl', accept: FONTS },
] as const

interface AssetFieldsProps {
  readonly policy: LabelPolicy
  readonly isInstance: boolean
  readonly mayWrite: boolean
}

/** One row for each file. A new file is part of the draft. */
export function AssetFields({ policy, isInstance, mayWrite }: AssetFieldsProps) {
  const t = useTexts(brandingTexts)
  return (
    <Section anchor="files" title={t.files} description={t.filesHint}>
      <Stack>
        {SLOTS.map((slot) => (
          <AssetRow key={slot.path} slot={slot} url={policy[slot.url]} isInstance={isInstance} mayWrite={mayWrite} />
        ))}
      </Stack>
    </Section>
  )
}

interface AssetRowProps {
  readonly slot: (typeof SLOTS)[number]
  readonly url: string
  readonly isInstance: boolean
  readonly mayWrite: boolean
}

function AssetRow({ slot: { path, name, accept }, url, isInstance, mayWrite }: AssetRowProps) {
  const t = useTexts(brandingTexts)
  const queries = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  const label = t.assets[name]
  // Without it, browsers do not report the same file again after it was corrected.
  const forgetFile = useRef<() => void>(null)
  const change = async (file: File | undefined) => {
    setRunning(true)
    const smaller = file && (await shrunk(file, MOST_BYTES))
    const problem = await changeAsset(`${isInstance ? 'instance' : 'org'}/policy/label/${path}`, smaller)
    setRunning(false)
    forgetFile.current?.()
    if (problem !== undefined) {
      notifications.show({ message: problem || t.noUploads, color: 'red', autoClose: 10_000 })
      return
    }
    notifications.show({ message: file ? t.uploaded : t.fileRemoved, color: 'green' })
    await queries.invalidateQueries()
  }
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        {url === '' ? (
          <Text size="sm" c="dimmed">
            {t.noFile}
          </Text>
        ) : name === 'font' ? (
          <Text size="sm" c="dimmed">
            {t.hasFont}
          </Text>
        ) : (
          <Image src={url} alt={label} h={40} w="auto" maw="100%" fit="contain" />
        )}
      </div>
      {mayWrite && (
        <Group gap="xs" justify="flex-end" align="center">
          <FileButton resetRef={forgetFile} onChange={(file) => void (file && change(file))} accept={accept}>
            {(props) => (
              <Button
                {...props}
                size="compact-md"
                variant="default"
                loading={isRunning}
                aria-label={t.upload({ name: label })}
              >
                {t.uploadButton}
              </Button>
            )}
          </FileButton>
          {url !== '' && (
            <Button
              size="compact-md"
              variant="default"
              disabled={isRunning}
              aria-label={t.removeFile({ name: label })}
              onClick={() => void change(undefined)}
            >
              {t.remove}
            </Button>
          )}
        </Group>
      )}
    </Group>
  )
}
