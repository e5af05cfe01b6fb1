import Type, { type Static } from 'typebox'
import { Timestamp } from './ids.ts'

/** The author's details as they were typed in. A text that was not entered is empty. */
export const Author = Type.Object(
  {
    name: Type.String(),
    company: Type.String(),
    email: Type.String(),
    copyright: Type.String(),
    website: Type.String(),
  },
  { $id: 'Author', description: 'Who made a file or cluster, as typed in there; texts can be empty.' },
)
export type Author = Static<typeof Author>

export const Plugin = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id of the plug-in, the same in every version.' }),
    name: Type.String(),
    version: Type.String({ description: 'The version that the file was saved with.' }),
    author: Type.String(),
    nodeCount: Type.Integer({
      description:
        'How many nodes of the file come from it, those in clusters included. 0: the file only names it.',
    }),
  },
  { $id: 'Plugin', description: 'A plug-in that the file names. Texts that the file lacks are empty.' },
)
export type Plugin = Static<typeof Plugin>

export const Picture = Type.Object(
  {
    mediaType: Type.Literal('image/png'),
    width: Type.Integer({ description: 'In pixels.' }),
    height: Type.Integer(),
    data: Type.String({ contentEncoding: 'base64', contentMediaType: 'image/png' }),
  },
  { $id: 'Picture', description: 'A picture, as a PNG file in base64.' },
)
export type Picture = Static<typeof Picture>

/** What a definition says about itself, beside its graph. */
const DEFINITION_FACTS = {
  plugins: Type.Array(Type.Ref('Plugin'), { description: 'In the order of the file.' }),
  description: Type.Optional(Type.String()),
  author: Type.Optional(Type.Ref('Author')),
  savedName: Type.Optional(Type.String({ description: 'The name of the file when it was saved.' })),
  savedAt: Type.Optional(
    Type.String({
      description: 'When it was last saved, in the local time of that machine: the file has no time zone.',
      examples: ['2024-03-01T12:30:00.000'],
    }),
  ),
  versions: Type.Optional(
    Type.Object(
      {
        grasshopper: Type.Optional(
          Type.String({
            description:
              '0.8 is of Rhino 4 and 5, 0.9 of Rhino 5, 1.0.0 to 1.0.7 of Rhino 6 and 7, 1.0.8 of Rhino 8.',
            examples: ['1.0.8'],
          }),
        ),
        rhino: Type.Optional(
          Type.String({ description: 'Where the file names it.', examples: ['8.10.24198.10001'] }),
        ),
        archive: Type.Optional(Type.String({ description: 'The format of the file.', examples: ['0.2.2'] })),
      },
      { description: 'What the file was saved with.' },
    ),
  ),
  documentId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The id in the file. Copies of a definition share it.' }),
  ),
  thumbnail: Type.Optional(Type.Ref('Picture')),
}

export const DefinitionFacts = Type.Object(DEFINITION_FACTS)
export type DefinitionFacts = Omit<Static<typeof DefinitionFacts>, 'plugins' | 'author' | 'thumbnail'> & {
  plugins: Plugin[]
  author?: Author
  thumbnail?: Picture
}

export const DocumentFile = Type.Unsafe<DocumentFile>(
  Type.Object(
    {
      name: Type.String({ description: 'The name of the file, with its extension.' }),
      createdAt: Type.Union([Timestamp, Type.Null()], {
        description: "The file's own time; null: not known.",
      }),
      modifiedAt: Type.Union([Timestamp, Type.Null()], {
        description: "The file's own time; null: not known.",
      }),
      ...Type.Partial(DefinitionFacts).properties,
    },
    {
      $id: 'DocumentFile',
      description:
        'The file that a document was imported from, as it was imported. The members after `modifiedAt` are absent in documents imported before they were read; `meadow-server import --force` reads them.',
    },
  ),
)
export type DocumentFile = {
  name: string
  createdAt: Timestamp | null
  modifiedAt: Timestamp | null
} & Partial<DefinitionFacts>
