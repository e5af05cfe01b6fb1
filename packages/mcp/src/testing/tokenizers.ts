import { load, withoutCheck } from '../../../../checks/load.ts'

/** Why tokens cannot be counted here, or false. */
export const noTokenizer = withoutCheck('ai-tokenizer')

/** The tokenizers of Claude and of current GPT models. */
const tokenizers = noTokenizer
  ? []
  : await Promise.all(
      ['claude', 'o200k_base'].map(async (encoding) => {
        const [{ default: Tokenizer }, loaded] = await Promise.all([
          load('ai-tokenizer'),
          load(`ai-tokenizer/encoding/${encoding}`),
        ])
        return new Tokenizer(loaded)
      }),
    )

/** The tokens of a text, as the tokenizer counts that finds more. */
export const countTokens = (text: string): number =>
  Math.max(...tokenizers.map((tokenizer) => tokenizer.count(text)))
