/** Which attribute of a directory is kept where. */
import { Anchor, Table, Text } from '@mantine/core'
import { Section } from '../../parts/section.tsx'
import { documentationFor } from '../../shell/documentation.ts'
import { useTexts } from '../../texts/index.tsx'
import { directorySyncTexts } from './texts/index.ts'

export function MappingSection() {
  const t = useTexts(directorySyncTexts)
  return (
    <Section title={t.mapping} description={t.mappingHint}>
      <Table verticalSpacing="xs" aria-label={t.mapping}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.scimAttribute}</Table.Th>
            <Table.Th>{t.here}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {t.attributes.map(([attribute, here]) => (
            <Table.Tr key={attribute}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" ff="monospace">
                  {attribute}
                </Text>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{here}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Anchor href={documentationFor('/directory-sync')} size="sm">
        {t.more}
      </Anchor>
    </Section>
  )
}
