/** The texts of the API of a project, in German. */
import type { ApiTexts } from './en.ts'

export const de: ApiTexts = {
  resources: {
    title: 'Ressourcen',
    description:
      'APIs, für die Access-Tokens ausgestellt werden. Ein Token für eine Ressource wird von allen anderen abgewiesen.',
    empty:
      'Es gibt noch keine Ressourcen. Fügen Sie eine hinzu, um Tokens für eine API oder einen MCP-Server auszustellen.',
    uri: 'URI der Ressource',
    uriHint: 'Die Adresse der API, zum Beispiel https://mcp.example.com/mcp. Sie steht als Audience in den Tokens.',
    scopes: 'Scopes',
    scopesHint: 'Worum ein Client bei dieser API bitten kann.',
    scope: (number) => `Scope ${number}`,
    sentence: (number) => `Beschreibung von Scope ${number}`,
    scopePlaceholder: 'tools:read',
    sentencePlaceholder: 'Ihre Dateien lesen',
    sentenceHint: 'Benutzer lesen die Beschreibung, wenn sie um ihre Zustimmung gebeten werden.',
    addScope: 'Scope hinzufügen',
    removeScope: (number) => `Scope ${number} entfernen`,
    noScopes: 'Keine',
    default: 'Standard',
    isDefault: 'Standardressource',
    isDefaultHint: 'Clients dieses Projekts, die keine Ressource nennen, bekommen Tokens für diese.',
    add: 'Ressource hinzufügen',
    addDone: 'Die Ressource wurde hinzugefügt.',
    edit: 'Bearbeiten',
    remove: 'Entfernen',
    removeHint: 'Alle Tokens für diese Ressource gelten ab sofort nicht mehr.',
    removeDone: 'Die Ressource wurde entfernt.',
    changedUri: 'Wenn Sie die URI ändern, gelten Tokens für die bisherige ab sofort nicht mehr.',
    uriTaken: 'Das Projekt hat schon eine Ressource mit dieser URI.',
    scopeTaken: 'Dieser Scope steht schon in der Liste.',
  },
  agents: {
    title: 'Agenten',
    description:
      'Was Agenten und Clients, die niemand eingerichtet hat, mit den Ressourcen dieses Projekts tun können.',
    names: {
      clientIdMetadataDocuments: 'Clients mit einem Metadaten-Dokument erlauben',
      dynamicRegistration: 'Clients erlauben, die sich selbst registriert haben',
      onBehalfOf: 'Agenten dürfen im Namen von Benutzern handeln',
    },
    hints: {
      clientIdMetadataDocuments: 'Ihre Client-ID ist die URL eines Dokuments, das sie nennt.',
      dynamicRegistration:
        'Sie registrieren sich mit einem Registrierungs-Token, oder ohne, wenn die Instanz es erlaubt.',
      onBehalfOf:
        'Agenten, denen ein Benutzer es erlaubt hat, können dessen Token gegen eines tauschen, das beide nennt.',
    },
    offHere: 'Die Instanz erlaubt diese Clients nicht. Deshalb hat dies noch keine Wirkung.',
    instance: 'Einstellungen der Instanz für Agenten',
  },
  tokens: {
    title: 'Registrierungs-Tokens',
    description:
      'Mit einem Registrierungs-Token können sich Clients für dieses Projekt registrieren. Es gilt einen Tag und wird nicht gespeichert, kann also nicht aufgelistet oder entfernt werden. Schalten Sie die Registrierung ab, um es früher zu beenden.',
    create: 'Registrierungs-Token erstellen',
    created: 'Das Registrierungs-Token wurde erstellt.',
    token: 'Registrierungs-Token',
    expires: (time) => `Gültig bis ${time}`,
  },
}
