/** A piece of code or configuration to copy. */
import { Box, Code, Group, Text } from '@mantine/core'
import { CopyIcon } from './copy-icon.tsx'

interface CodeBlockProps {
  readonly label: string
  readonly code: string
  onCopy?: (() => void) | undefined
}

/** The code under its name, with a button that copies it. Long lines scroll, also with the keyboard. */
export function CodeBlock({ label, code, onCopy }: CodeBlockProps) {
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyIcon label={label} value={code} onCopy={onCopy} />
      </Group>
      <Code block tabIndex={0} role="region" aria-label={label} style={{ overflowX: 'auto' }}>
        {code}
      </Code>
    </Box>
  )
}
