/** A piece of code or configuration to copy. */
import { ActionIcon, Box, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { Icon } from './icons.tsx'
import { partsTexts } from './texts/index.ts'

interface CodeBlockProps {
  readonly label: string
  readonly code: string
  onCopy?: (() => void) | undefined
}

/** The code under its name, with a button that copies it. Long lines scroll, also with the keyboard. */
export function CodeBlock({ label, code, onCopy }: CodeBlockProps) {
  const t = useTexts(partsTexts)
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t.copied : t.copy(label)}>
              <ActionIcon
                variant="subtle"
                color={copied ? 'green' : undefined}
                onClick={() => {
                  copy()
                  onCopy?.()
                }}
                aria-label={t.copy(label)}
              >
                <Icon name={copied ? 'check' : 'copy'} />
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      <Code block tabIndex={0} role="region" aria-label={label} style={{ overflowX: 'auto' }}>
        {code}
      </Code>
    </Box>
  )
}
