/** Words that say nothing about the subject of a text; they are neither stored nor searched for. */
export const STOP_WORDS = new Set(
  (
    'a an the this that these those my our your his her their its it they them we us i me you he she who whom whose ' +
    'which what when where why how is are was were be been being am do does did done doing have has had having can ' +
    'could should would may might must shall will and or but if then than so as of in on at by to from for with ' +
    'within about into over under between through during after before since until there here any some each every ' +
    'many much both either neither other another such only just also too very not no nor because while against again further ' +
    'once more most few own same all up down out off above below please tell know dont doesnt isnt arent cant im ' +
    'ive youre hello hi hey thanks thank ok okay yes'
  ).split(' '),
);
