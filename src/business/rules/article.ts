// A new price of an article changes the totals of flat rates.

import { rulesOf } from '../../core/model/records/record.ts';
import { Article } from '../../core/resources/article.ts';
import { keepFlatRatesOfArticle } from '../invoicing/flat-rate.ts';

rulesOf(Article, { after: keepFlatRatesOfArticle });
