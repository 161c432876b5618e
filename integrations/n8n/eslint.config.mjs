import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import parser from '@typescript-eslint/parser';

export default [
  { ignores: ['dist/**', 'node_modules/**', '*.mjs'] },
  { files: ['**/*.ts'], languageOptions: { parser } },
  n8nCommunityNodesPlugin.configs.recommended,
];
